import Events
import Glibc
package import Logging
import WireText

/// Writes log lines to standard error: for the journal with its priority, for people as sentences.
///
/// What a message quotes is escaped already; whatever else would act on a terminal is, too.
package struct StandardErrorLog: LogHandler {
    /// What goes with every line; not written.
    package var metadata: Logger.Metadata = [:]
    /// What is written: this level and graver ones.
    package var logLevel: Logger.Level = .info
    private let isForJournal: Bool

    /// Makes the handler.
    ///
    /// - Parameter isForJournal: Whether systemd's journal reads standard error, and lines begin
    ///   with a priority for it (sd-daemon(3)).
    package init(isForJournal: Bool) {
        self.isForJournal = isForJournal
    }

    /// A value that goes with every line.
    ///
    /// - Parameter key: Its name.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes one line.
    ///
    /// - Parameter event: What is to be logged.
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
