public import WireText

/// Why bytes could not be written.
public enum OutputError: Error, Equatable, Sendable {
    /// Whoever read has gone (`EPIPE`, `ECONNRESET`). A command ends quietly then: `keywedge replay … | head -1`.
    case closed(name: String)

    /// Anything else, for example a full disk.
    case failed(SystemCallError)
}

extension OutputError: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .closed(let name): "\(Escaping.line.escaped(name)): nobody reads it any more"
        case .failed(let error): error.description
        }
    }
}
