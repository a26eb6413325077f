import Events
import Glibc
package import Logging
import WireText

/// Writes log lines to standard error: for the journal with its priority, for people as sentences.
///
/// Messages escape what they quote; everything else that would act on a terminal is escaped here.
package struct StandardErrorLog: LogHandler {
    /// Not written.
    package var metadata: Logger.Metadata = [:]
    /// The lowest level that is written.
    package var logLevel: Logger.Level = .info
    private let isForJournal: Bool

    /// `isForJournal` begins lines with a priority for systemd's journal; see sd-daemon(3).
    package init(isForJournal: Bool) {
        self.isForJournal = isForJournal
    }

    /// A value of ``metadata``.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes one line.
    package func log(event: LogEvent) {
        let text = Escaping.sentence.escaped(event.message.description)
        let line = (isForJournal ? "<\(event.level.priority)>" : "keywedge: ") + text + "\n"
        var bytes = Array(line.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
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
