import Events
import Glibc
package import Logging
import Synchronization
import WireText

/// A log on standard error; lines begin with a priority for systemd's journal or with `keywedge: ` for people.
///
/// Anything that could control a terminal is escaped. If no program reads standard error, lines are dropped, so that
/// the daemon does not hang. The next written line reports how many were dropped.
package struct StandardErrorLog: LogHandler {
    /// The logger's metadata, which `LogHandler` requires but log lines do not contain.
    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level = .info
    private let isForJournal: Bool
    private let output: BoundedOutput

    /// Creates a log; if `isForJournal` is true, lines begin with a priority as in sd-daemon(3).
    package init(isForJournal: Bool, output: BoundedOutput) {
        self.isForJournal = isForJournal
        self.output = output
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        output.write(line(event.message.description, event.level)) { dropped in
            line(
                "\(dropped.counted("line of the log was", "lines of the log were")) dropped: no one read standard error",
                .warning)
        }
    }

    private func line(_ text: String, _ level: Logger.Level) -> [UInt8] {
        Array(
            ((isForJournal ? "<\(level.priority)>" : "keywedge: ") + Escaping.sentence.escaped(text)
                + "\n").utf8)
    }
}

/// An output that writes lines to a descriptor, and drops them while the descriptor accepts nothing.
package final class BoundedOutput: Sendable {
    /// How long a line waits for a reader, in milliseconds, unless the line before was dropped.
    private static let patience: Int32 = 200
    /// The number of bytes that a pipe with room accepts without blocking (`PIPE_BUF` in pipe(7)).
    private static let chunkSize = 4096

    private let descriptor: Int32
    /// The number of lines dropped since the last written line.
    private let dropped = Mutex(0)

    package init(descriptor: Int32) { self.descriptor = descriptor }

    /// Writes a line, preceded by a `report` of any lines dropped before; drops it if the descriptor accepts no data.
    package func write(_ line: [UInt8], report: (Int) -> [UInt8]) {
        dropped.withLock { dropped in
            let bytes = dropped > 0 ? report(dropped) + line : line
            if write(bytes[...], patience: dropped > 0 ? 0 : Self.patience) {
                dropped = 0
            } else {
                dropped += 1
            }
        }
    }

    /// Writes a line; returns false if the descriptor has no room for any of it within `patience` milliseconds.
    ///
    /// The rest of a partly written line is lost.
    private func write(_ bytes: ArraySlice<UInt8>, patience: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            guard hasRoom(patience) else { return rest.count < bytes.count }
            let count = rest.prefix(Self.chunkSize).withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            // The error cannot be reported anywhere.
            guard count > 0 else { return true }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func hasRoom(_ patience: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while true {
            let count = poll(&waiting, 1, patience)
            if count < 0, errno == EINTR { continue }
            return count > 0
        }
    }
}

extension Logger.Level {
    /// The level's priority in syslog(3), from 2 (critical) to 7 (debug).
    fileprivate var priority: Int {
        switch self {
        case .critical: 2
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug, .trace: 7
        }
    }
}
