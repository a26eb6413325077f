public import WireText

/// Why a text is no recording of exchanges.
public enum RecordingError: Error, Equatable, Sendable {
    /// It is no JSON.
    case syntax(JSONSyntaxError)
    /// What should be an exchange is none; 0-based, its place.
    case exchange(index: Int)
}

extension RecordingError: CustomStringConvertible {
    /// One sentence without its full stop.
    public var description: String {
        switch self {
        case .syntax(let error): "the recording is no JSON: \(error)"
        case .exchange(let index):
            "entry \(index + 1) of the recording is no exchange; expected method, url and status"
        }
    }
}
