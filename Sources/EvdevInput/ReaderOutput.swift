public import Keystrokes
public import WireText

/// What the reader hands over, in the order in which it happened: of all scanners together, or of
/// one.
///
/// Boxed, for it is moved more often than looked at.
public indirect enum ReaderOutput: Hashable, Sendable {
    /// A scanner is there for the first time: what comes of it, also when it is plugged in again.
    case scanner(ReaderOutputs)
    /// The scanner is grabbed and quiet: from here on its scans are read.
    case connected(AttachedScanner, nodes: [String])
    /// The scanner is no longer read.
    case disconnected(AttachedScanner, DisconnectReason)
    /// The scanner read a scan.
    case scan(AttachedScanner, Scan)
    /// Keys of the scanner came that are no scan.
    case rejected(AttachedScanner, Rejection)
    /// Something the log should say.
    case notice(ReaderNotice)
}

/// Why a scanner is no longer read.
public enum DisconnectReason: Hashable, Sendable {
    /// It was pulled out, or went to sleep.
    case unplugged
    /// Reading it failed otherwise.
    case failed(SystemCallError)
    /// The reader was stopped.
    case stopped
}

extension DisconnectReason: CustomStringConvertible {
    /// The reason in a word or a clause.
    public var description: String {
        switch self {
        case .unplugged: "unplugged"
        case .failed(let error): "\(error)"
        case .stopped: "stopped"
        }
    }
}
