import HTTPTypes
import Synchronization
package import WebAPI
import WireText

/// Records the steps of a lookup in a source, for people who want to see them.
package final class Trace: Sendable {
    private let collected = Mutex<[LookupStep]>([])

    package init() {}

    package var steps: [LookupStep] { collected.withLock { $0 } }

    func add(_ step: LookupStep) { collected.withLock { $0.append(step) } }
}

extension Trace? {
    /// Adds a note; the text is made only if there is a trace.
    func note(_ label: String, _ text: @autoclosure () -> String) {
        if let self { self.add(.note(label, text())) }
    }

    /// Records the result of a place for a field: the texts found there, or why none were found.
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

/// A step of a lookup in a source.
package enum LookupStep: Sendable {
    /// A sentence with a label.
    case note(_ label: String, String)
    case place(TriedPlace)
    case exchange(Exchange)
    case token(Exchange)

    /// Removes the secrets of the request; nil for a step without one.
    package var mask: Redaction? {
        switch self {
        case .exchange(let exchange), .token(let exchange): exchange.mask
        case .note, .place: nil
        }
    }
}

/// A place that was tried for a field, and the result.
package struct TriedPlace: Hashable, Sendable, CustomStringConvertible {
    /// The field: `id`, `name`, `price`, `currency`, `unit`, `codes`, `attributes.NAME`, or a
    /// placeholder of the second request in braces.
    package let field: String
    /// The place as the declaration writes it; nil for a constant.
    package let place: String?
    /// Whether nothing is there, not even `null`.
    package let isMissing: Bool
    fileprivate let outcome: String

    package var description: String {
        let place = self.place.map { $0.isEmpty ? "the answer" : $0 } ?? "the declaration"
        return "\(place) \(outcome)"
    }
}

package struct Exchange: Sendable {
    /// How much content to show, in characters and in lines.
    private static let (excerpt, lineLimit) = (1000, 24)

    /// The request, including secrets.
    package let request: Request
    package let output: Output
    package let took: Duration
    /// The number of the request in the lookup, from 1; 0 for a token request.
    var attempt = 0
    /// The number of the redirect that it follows; 0 for none.
    var redirect = 0
    /// Removes the request's secrets.
    let mask: Redaction

    package var status: Int? { output.response?.status.code }

    package func answerField(_ name: String) -> String? { output.response?.value(of: name) }

    /// The request as lines that start with `>`, without secrets; the caller escapes them.
    var requestLines: [String] {
        let sent = ["\(request)"] + request.fieldsToSend.redactedLines
        let body = request.methodAndPayload.payload.map { content($0.bytes) } ?? []
        return (sent + body).map { "> " + mask.applied(to: $0) }
    }

    /// The answer as lines that start with `<`; the caller escapes them, too.
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
        // The content of a token request is secret.
        guard attempt > 0 else { return ["(\(bytes.count.counted("byte")), not shown)"] }
        // At most four bytes for each character, so megabytes are not searched.
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
