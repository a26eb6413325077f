import HTTPTypes
package import WebAPI
import WireText

/// A request as it was sent, and what came back.
package struct Exchange: Sendable {
    /// How much of a content is shown, in characters.
    static let excerpt = 1000
    /// How many lines of a content are shown.
    static let lineLimit = 24

    /// The request as it was sent, secrets and all.
    package var request: Request
    /// What came of it.
    package var output: Output
    /// How long it took.
    package var took: Duration
    /// Which request of the lookup to the catalog it is, from 1 on; 0 for a request for a token.
    package var attempt: Int
    /// Which redirect of that request it follows; 0 for none.
    package var redirect: Int
    /// What no text shows.
    package let mask: Redaction
    /// Whether the contents are shown; those of a request for a token hold secrets by design.
    let showsContent: Bool
}

extension Exchange {
    /// The exchanges of a call: its request, and those that followed redirects.
    ///
    /// - Parameters:
    ///   - attempts: What the call sent.
    ///   - number: Which request of the lookup it is, from 1 on; 0 for a request for a token.
    ///   - mask: What no text shows.
    /// - Returns: The exchanges, in order.
    static func all(of attempts: [Attempt], number: Int, _ mask: Redaction) -> [Exchange] {
        attempts.enumerated().map { index, attempt in
            Exchange(
                request: attempt.request, output: attempt.output, took: attempt.took,
                attempt: number, redirect: index, mask: mask, showsContent: number > 0)
        }
    }
}

extension Exchange {
    /// The status of the answer; nil where there was none.
    package var status: Int? { output.response?.status.code }

    /// The value of a header field of the answer.
    ///
    /// - Parameter name: The field's name.
    /// - Returns: The value; nil where there is no such field, or no answer.
    package func answerField(_ name: String) -> String? { output.response?.value(of: name) }

    /// The request as lines that start with `>`, secrets left out; what others wrote is not made
    /// harmless yet.
    var requestLines: [String] {
        let sent = ["\(request)"] + request.fieldsToSend.redactedLines
        let body = request.methodAndPayload.payload.map { content($0.bytes) } ?? []
        return (sent + body).map { "> " + mask.applied(to: $0) }
    }

    /// The answer as lines that start with `<`, as ``requestLines``.
    var answerLines: [String] { answer.map { "< " + mask.applied(to: $0) } }

    private var answer: [String] {
        switch output {
        case .noResponse(let error): return ["no answer after \(took.text): \(error)"]
        case .response(let response):
            return ["\(response) after \(took.text)"] + response.headers.redactedLines
                + content(response.contentInUTF8)
        }
    }

    private func content(_ bytes: [UInt8]) -> [String] {
        guard !bytes.isEmpty else { return [] }
        guard showsContent else { return ["(\(bytes.count.counted("byte")), not shown)"] }
        // Four bytes a character at the most, so that a content of megabytes is not gone through.
        let head = String(decoding: bytes.prefix(Self.excerpt * 4), as: UTF8.self)
        // Masked before it is cut, or a part of a secret could stand at the end.
        let shown = mask.applied(to: head).unicodeScalars.prefix(Self.excerpt)
        let rows = String(String.UnicodeScalarView(shown)).split(
            separator: "\n", omittingEmptySubsequences: false)
        let isWhole = head.unicodeScalars.count <= Self.excerpt && bytes.count <= head.utf8.count
        let lines = rows.prefix(Self.lineLimit).map { $0.hasSuffix("\r") ? $0.dropLast() : $0 }
        return lines.map(String.init)
            + (isWhole && rows.count <= Self.lineLimit
                ? [] : ["… (\(bytes.count.counted("byte")) in all)"])
    }
}
