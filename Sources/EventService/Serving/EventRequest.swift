import Events
import HTTPService
import HTTPTypes
import Hummingbird
package import Journal
import WireText

package enum StreamStart: Equatable, Sendable {
    case now
    case oldest
    case after(Cursor)
    /// A consumer's stream. It begins after the cursor `after` or, if that is nil, after the consumer's own cursor.
    ///
    /// A new consumer has no cursor, so its stream begins with new events.
    case consumer(String, after: Cursor? = nil)
}

extension Request {
    /// Returns the name of the consumer or sink in the path.
    func name(_ context: EventContext) throws(ProblemDetails) -> String {
        _ = try QueryParameters(of: self)
        let text = context.parameters.get("name") ?? ""
        return try Self.checked(PercentEncoding.strictlyDecoded(text[...]) ?? "", "name")
    }

    func stream() throws(ProblemDetails) -> (StreamStart, EventFilter, StreamFormat) {
        let parameters = try QueryParameters(
            of: self, "after", "consumer", "types", "scanners", "kinds")
        let accepted = headers[values: .accept].joined(separator: ",").lowercased()
        let types = try parameters.list("types", among: EventType.all.map(\.rawValue))
        let filter = EventFilter(
            types: Set(types.map(EventType.init(rawValue:))),
            scanners: Set(try parameters.list("scanners", among: nil)),
            kinds: Set(try parameters.list("kinds", among: EventFilter.allKinds)))
        return (
            try start(parameters), filter,
            accepted.contains("text/event-stream") ? .serverSentEvents : .lines
        )
    }

    private func start(_ parameters: QueryParameters) throws(ProblemDetails) -> StreamStart {
        let after = try parameters.text("after", limit: 60)
        let consumer = try parameters.text("consumer", limit: 64)
        if after != nil, consumer != nil {
            throw .parameter("after", expected: "it or consumer", found: "both")
        }
        // A browser that reconnects sends the original query, and the last event's ID in a header field.
        let last = HTTPField.Name("Last-Event-ID").flatMap { headers[$0] } ?? ""
        let place = last.isEmpty ? nil : try Cursor(last, in: "Last-Event-ID")
        if let consumer { return .consumer(try Self.checked(consumer, "consumer"), after: place) }
        if let place { return .after(place) }
        guard let after else { return .now }
        return after == "oldest" ? .oldest : .after(try Cursor(after, in: "after"))
    }

    private static func checked(
        _ name: String, _ parameter: String
    ) throws(ProblemDetails) -> String {
        guard ReaderName.isOne(name) else {
            throw .parameter(parameter, expected: ReaderName.rule, quoting: name)
        }
        return name
    }
}

extension QueryParameters {
    /// Reads `true` or `false`; false if the parameter is missing.
    func flag(_ name: String) throws(ProblemDetails) -> Bool {
        guard let text = try text(name, limit: 10) else { return false }
        guard let value = Bool(text) else {
            throw .parameter(name, expected: "true or false", quoting: text)
        }
        return value
    }

    /// Returns a parameter's comma-separated values; empty if the parameter is missing.
    fileprivate func list(
        _ name: String, among known: [String]?
    ) throws(ProblemDetails) -> [String] {
        guard let text = try text(name, limit: 4096) else { return [] }
        let values = text.utf8.split(
            separator: UInt8(ascii: ","), omittingEmptySubsequences: false
        ).map { String(Substring($0)) }
        let fits = values.allSatisfy { (1...60).contains($0.unicodeScalars.count) }
        guard fits, values.count <= 50 else {
            throw .parameter(name, expected: "up to 50 values of 1 to 60 characters", quoting: text)
        }
        if let known, let other = values.first(where: { !known.contains($0) }) {
            let expected = "any of " + known.joined(separator: ", ")
            throw .parameter(name, expected: expected, quoting: other)
        }
        return values
    }
}

extension Cursor {
    init(_ text: String, in parameter: String) throws(ProblemDetails) {
        guard let cursor = Cursor(text) else {
            let expected = "a cursor such as k3v9q0c2m7xd-42"
            throw .parameter(parameter, expected: expected, quoting: text)
        }
        self = cursor
    }
}
