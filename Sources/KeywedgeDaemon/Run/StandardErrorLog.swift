import Events
import Glibc
package import Logging
import Synchronization
import WireText

/// Writes log lines to standard error: with a priority for systemd's journal, as sentences for people.
///
/// Messages escape the text that they quote; everything else that could control a terminal is escaped here.
/// A reader of standard error that hangs cannot block the daemon: lines that it does not accept are dropped,
/// and counted in the next line that it accepts.
package struct StandardErrorLog: LogHandler {
    /// Not used: metadata is not written.
    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level = .info
    private let isForJournal: Bool
    private let output: BoundedOutput

    /// `isForJournal` begins lines with a priority for systemd's journal; see sd-daemon(3).
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

/// Writes to a descriptor only as long as it accepts bytes promptly.
package final class BoundedOutput: Sendable {
    /// How long a line waits for a reader, in milliseconds; after one wait in vain, no line waits until the reader
    /// reads again.
    private static let patience: Int32 = 200
    /// A pipe that has room accepts this many bytes at once (pipe(7), `PIPE_BUF`).
    private static let chunkSize = 4096

    private let descriptor: Int32
    /// How many lines were dropped since the last that was written.
    private let dropped = Mutex(0)

    package init(descriptor: Int32) { self.descriptor = descriptor }

    /// Writes a line, or drops it; `report` makes the line that counts earlier drops.
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

    /// Returns false if nothing was written; the rest of a line whose beginning was written is lost.
    private func write(_ bytes: ArraySlice<UInt8>, patience: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            guard hasRoom(patience) else { return rest.count < bytes.count }
            let count = rest.prefix(Self.chunkSize).withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            // There is no one left to report this to.
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
    /// The priority of syslog(3).
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
