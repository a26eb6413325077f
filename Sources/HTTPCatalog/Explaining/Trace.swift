import HTTPTypes
import Synchronization
package import WebAPI
import WireText

/// A record of the steps of a lookup in one source, for display to users.
package final class Trace: Sendable {
    private let collected = Mutex<[LookupStep]>([])

    package init() {}

    package var steps: [LookupStep] { collected.withLock { $0 } }

    func add(_ step: LookupStep) { collected.withLock { $0.append(step) } }
}

extension Trace? {
    /// Adds a note; evaluates `text` only if there is a trace.
    func note(_ label: String, _ text: @autoclosure () -> String) {
        if let self { self.add(.note(label, text())) }
    }

    /// Records a place where a field was looked up, and what was found there.
    func place(
        _ field: String, _ place: Place, gave texts: @autoclosure () -> [String],
        _ value: JSONValue? = nil, unreadable reason: String? = nil
    ) {
        guard let self else { return }
        let texts = texts()
        let outcome =
            if let reason { "cannot be read: \(reason)" } else if texts.isEmpty {
                switch value {
                case nil: "is missing"
                case .null: "is null"
                case .string: "is empty"
                case .array(let elements) where elements.isEmpty: "is empty"
                case let other?: "is \(other.kind), no text or number"
                }
            } else { "gave \(texts.joined(separator: ", ").quoted())" }
        self.add(
            .place(
                TriedPlace(
                    field: field, place: place.isConstant ? nil : place.text,
                    isMissing: value == nil && texts.isEmpty, outcome: outcome)))
    }
}

package enum LookupStep: Sendable {
    case note(_ label: String, String)
    case place(TriedPlace)
    case exchange(Exchange)
    case token(Exchange)

    /// The redaction that removes the request's secrets from text; nil if the step has no request.
    package var mask: Redaction? {
        switch self {
        case .exchange(let exchange), .token(let exchange): exchange.mask
        case .note, .place: nil
        }
    }
}

/// A place where a field was looked up, and the result.
package struct TriedPlace: Hashable, Sendable, CustomStringConvertible {
    /// The name of the field, or of a placeholder of the second request.
    ///
    /// A field is `id`, `name`, `price`, `currency`, `unit`, `codes` or `attributes.NAME`. A placeholder's name is in
    /// braces.
    package let field: String
    /// The place as written in the declaration; nil for a constant.
    package let place: String?
    /// Whether the answer has no value at this place, not even `null`.
    package let isMissing: Bool
    fileprivate let outcome: String

    package var description: String {
        let place = self.place.map { $0.isEmpty ? "the answer" : $0 } ?? "the declaration"
        return "\(place) \(outcome)"
    }
}

package struct Exchange: Sendable {
    private static let (excerpt, lineLimit) = (1000, 24)

    /// The request, including secrets.
    package let request: Request
    package let output: Output
    package let took: Duration
    /// The request's number in the lookup, counted from 1; 0 for a token request.
    var attempt = 0
    var redirect = 0
    let mask: Redaction

    package var status: Int? { output.response?.status.code }

    package func answerField(_ name: String) -> String? { output.response?.value(of: name) }

    /// The request as lines that each start with `>`; secrets are masked, but nothing is escaped.
    var requestLines: [String] {
        let sent = ["\(request)"] + request.fieldsToSend.redactedLines
        let body = request.methodAndPayload.payload.map { content($0.bytes) } ?? []
        return (sent + body).map { "> " + mask.applied(to: $0) }
    }

    /// The answer as lines that each start with `<`; secrets are masked, but nothing is escaped.
    var answerLines: [String] {
        let lines =
            switch output {
            case .noResponse(let error): ["no answer after \(took.text): \(error)"]
            case .response(let response):
                ["\(response) after \(took.text)"] + response.headers.redactedLines
                    + content(response.contentInUTF8)
            }
        return lines.map { "< " + mask.applied(to: $0) }
    }

    private func content(_ bytes: [UInt8]) -> [String] {
        guard !bytes.isEmpty else { return [] }
        // A token request and its answer contain secrets.
        guard attempt > 0 else { return ["(\(bytes.count.counted("byte")), not shown)"] }
        // A character has at most four bytes in UTF-8; the rest of a long body is not searched for secrets.
        let head = String(decoding: bytes.prefix(Self.excerpt * 4), as: UTF8.self)
        // Mask before shortening; otherwise part of a secret could remain at the end.
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
