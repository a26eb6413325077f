import Catalog
import WebAPI
import WireText

extension LookupFailure {
    /// Why there was no answer, in the words of the connection.
    init(_ error: ConnectionError, name: String, mask: Redaction) {
        let words = mask.applied(to: error.description)
        self.init(Self.code(error), "The catalog \(name) did not answer: \(words: words).")
    }

    private static func code(_ error: ConnectionError) -> Code {
        switch error.kind {
        case .unknownHost, .refused, .unreachable, .noFreeConnection: .unreachable
        case .timedOut: .timedOut
        case .bodyTooLarge: .answerTooLong
        case .cancelled, .shutDown: .cancelled
        default: error.phase == .tls ? .tls : .brokenConnection
        }
    }
}
