import Catalog
import WebAPI
import WireText

extension LookupFailure {
    /// Why a call gave no answer, in the words of the connection.
    init(_ error: CallError, name: String, mask: Redaction) {
        guard let connection = error.attempts.last?.output.connectionError else {
            // Nothing was sent.
            self =
                error.reason == .noTime
                ? LookupFailure(
                    .timedOut, "The time was up before the catalog \(name) could be asked.")
                : LookupFailure(.cancelled, "The lookup was given up.")
            return
        }
        let words = mask.applied(to: connection.description)
        self.init(Self.code(connection), "The catalog \(name) did not answer: \(words: words).")
    }

    private static func code(_ error: ConnectionError) -> Code {
        switch error.kind {
        case .unknownHost, .refused, .unreachable: .unreachable
        case .timedOut: .timedOut
        case .bodyTooLarge: .answerTooLong
        case .cancelled, .shutDown: .cancelled
        default: error.phase == .tls ? .tls : .brokenConnection
        }
    }
}
