import Events
import HTTPService
import HTTPTypes
import Hummingbird
import Journal
import WireText

/// Where a stream begins.
enum StreamStart: Equatable {
    /// With the next event.
    case now
    /// With the oldest event there is.
    case oldest
    /// After an event.
    case after(Cursor)
    /// Where a consumer stopped, or after the event that its client names.
    case consumer(String, after: Cursor?)
}

extension Request {
    /// The name of the reader in the path.
    func name(_ context: EventContext) throws(ProblemDetails) -> String {
        _ = try QueryParameters(of: self)
        let text = context.parameters.get("name") ?? ""
        return try Self.checked(PercentEncoding.strictlyDecoded(text[...]) ?? "", "name")
    }

    /// What a request for events asks for.
    func stream() throws(ProblemDetails) -> (StreamStart, EventFilter, StreamFormat) {
        let parameters = try QueryParameters(
            of: self, "after", "consumer", "types", "scanners", "kinds")
        let accepted = headers[values: .accept].joined(separator: ",").lowercased()
        let format: StreamFormat =
            accepted.contains("text/event-stream") ? .serverSentEvents : .lines
        let filter = EventFilter(
            types: Set(
                try parameters.list(
                    "types", among: EventType.all.map(\.rawValue)
                ).map(EventType.init(rawValue:))),
            scanners: Set(try parameters.list("scanners", among: nil)),
            kinds: Set(try parameters.list("kinds", among: EventFilter.allKinds)))
        return (try start(parameters), filter, format)
    }

    private func start(
        _ parameters: QueryParameters
    ) throws(ProblemDetails) -> StreamStart {
        let after = try parameters.text("after", limit: 60)
        let consumer = try parameters.text("consumer", limit: 64)
        if after != nil, consumer != nil {
            throw .parameter(
                "after", expected: "it or consumer", found: "both")
        }
        // A browser that reconnects sends the last event it got beside its first address.
        let last = HTTPField.Name("Last-Event-ID").flatMap { headers[$0] } ?? ""
        let place = last.isEmpty ? nil : try Self.cursor(last, "Last-Event-ID")
        if let consumer { return .consumer(try Self.checked(consumer, "consumer"), after: place) }
        if let place { return .after(place) }
        guard let after else { return .now }
        return after == "oldest" ? .oldest : .after(try Self.cursor(after, "after"))
    }

    private static func cursor(_ text: String, _ place: String) throws(ProblemDetails) -> Cursor {
        guard let cursor = Cursor(text) else { throw .notACursor(place, text) }
        return cursor
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

/// The names of consumers and sinks.
package enum ReaderName {
    /// What a name may be.
    package static let rule = "1 to 64 letters, digits, \".\", \"_\" and \"-\""

    /// Whether a text is one.
    package static func isOne(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z0-9._-]{1,64}/) != nil
    }
}

extension QueryParameters {
    /// Yes or no; no if the parameter is not given.
    func flag(_ name: String) throws(ProblemDetails) -> Bool {
        guard let text = try text(name, limit: 10) else { return false }
        guard let value = Bool(text) else {
            throw .parameter(name, expected: "true or false", quoting: text)
        }
        return value
    }

    /// At most 50 values of at most 60 characters, separated by commas; none if the parameter is not given.
    fileprivate func list(
        _ name: String, among known: [String]?
    ) throws(ProblemDetails) -> [String] {
        guard let text = try text(name, limit: 4096) else { return [] }
        let values = text.utf8.split(
            separator: UInt8(ascii: ","), omittingEmptySubsequences: false
        ).map { String(Substring($0)) }
        guard values.count <= 50 else {
            throw .parameter(name, expected: "at most 50 values", found: "\(values.count)")
        }
        for value in values {
            if value.isEmpty { throw .parameter(name, expected: "values", found: "an empty one") }
            let length = value.unicodeScalars.count
            guard length <= 60 else {
                throw .parameter(
                    name, expected: "values of at most 60 characters", found: "\(length)")
            }
            if let known, !known.contains(value) {
                throw .parameter(
                    name, expected: "any of " + known.joined(separator: ", "), quoting: value)
            }
        }
        return values
    }
}

extension ProblemDetails {
    static func otherMethod(expected: [String]) -> Self {
        Self(
            .methodNotAllowed, "method-not-allowed",
            "Expected " + expected.joined(separator: ", ") + ".",
            allowed: expected.joined(separator: ", "))
    }

    static func notACursor(_ name: String, _ text: String) -> Self {
        parameter(name, expected: "a cursor such as k3v9q0c2m7xd-42", quoting: text)
    }
}
