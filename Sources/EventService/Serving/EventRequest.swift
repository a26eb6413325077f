import Events
import HTTPService
import HTTPTypes
import Journal
import WireText

/// What a request asks for.
enum EventRequest: Equatable {
    /// Where a stream begins.
    enum Start: Equatable {
        /// With the next event.
        case now
        /// With the oldest event there is.
        case oldest
        /// Behind an event.
        case after(Cursor)
        /// Where a consumer stopped, or behind the event that its client names.
        case consumer(String, after: Cursor?)
    }

    /// Events as they come.
    case events(Start, EventFilter, StreamFormat)
    /// How far a reader got.
    case cursor(JournalReader)
    /// Sets how far a reader got.
    case move(JournalReader)
    /// Removes a consumer.
    case forget(JournalReader)
    /// How the daemon is doing, with the texts of the last scans or without.
    case status(hasCodes: Bool)
    /// The same as numbers, for Prometheus.
    case metrics
    /// Has the daemon take its configuration anew.
    case reload
    /// The description of all this.
    case openAPI
    /// A file of the page for people.
    case page(LivePage)
    /// A browser asks what a page may do.
    case preflight

    /// Whether it changes something that is not the client's own: a consumer, a sink, the configuration.
    var isChange: Bool {
        switch self {
        case .move, .forget, .reload, .events(.consumer, _, _): true
        default: false
        }
    }

    private static let lastEventID = HTTPField.Name("Last-Event-ID")

    /// Reads a request.
    ///
    /// - Parameter request: The request.
    /// - Throws: The problem with it.
    init(_ request: HTTPRequest) throws(ProblemDetails) {
        let target = RequestTarget(request.path ?? "")
        let methods = try Self.methods(target.segments)
        if request.method == .options {
            self = .preflight
            return
        }
        guard methods.contains(request.method) else {
            throw .otherMethod(expected: methods.map(\.rawValue))
        }
        switch target.segments {
        case ["v1", "events"]: self = try .events(request, target.query)
        case ["v1", "status"]:
            let parameters = try Parameters(target.query, names: ["codes"])
            self = .status(hasCodes: try parameters.flag("codes"))
        case ["metrics"]:
            _ = try Parameters(target.query, names: [])
            self = .metrics
        case ["v1", "reload"]:
            _ = try Parameters(target.query, names: [])
            self = .reload
        case ["openapi.json"]:
            _ = try Parameters(target.query, names: [])
            self = .openAPI
        default:
            _ = try Parameters(target.query, names: [])
            if let file = LivePage(target.segments) {
                self = .page(file)
                return
            }
            let reader = try Self.reader(target.segments)
            switch request.method {
            case .put: self = .move(reader)
            case .delete: self = .forget(reader)
            default: self = .cursor(reader)
            }
        }
    }

    /// Whether everybody may have what a path names: it tells nothing of events.
    static func isOpen(_ path: String?) -> Bool {
        let segments = RequestTarget(path ?? "").segments
        return segments == ["openapi.json"] || LivePage(segments) != nil
    }

    /// What there is under a path.
    static func methods(
        _ segments: [Substring]
    ) throws(ProblemDetails) -> [HTTPRequest.Method] {
        switch segments {
        case ["v1", "events"], ["v1", "status"], ["metrics"], ["openapi.json"]:
            return [.get, .head]
        case ["v1", "reload"]: return [.post]
        default:
            guard LivePage(segments) == nil else { return [.get, .head] }
            guard segments.count == 3, segments[0] == "v1",
                ["consumers", "sinks"].contains(segments[1]), !segments[2].isEmpty
            else { throw .noSuchPath }
            return [.get, .head, .put] + (segments[1] == "consumers" ? [.delete] : [])
        }
    }

    private static func events(
        _ request: HTTPRequest, _ query: Substring?
    ) throws(ProblemDetails) -> Self {
        let parameters = try Parameters(
            query, names: ["after", "consumer", "types", "scanners", "kinds"])
        let accepted = request.headerFields[values: .accept].joined(separator: ",").lowercased()
        let format: StreamFormat =
            accepted.contains("text/event-stream") ? .serverSentEvents : .lines
        let filter = EventFilter(
            types: Set(
                try parameters.list(
                    "types", among: EventType.all.map(\.rawValue)
                ).map(EventType.init(rawValue:))),
            scanners: Set(try parameters.list("scanners", among: nil)),
            kinds: Set(try parameters.list("kinds", among: EventFilter.allKinds)))
        return .events(try start(request, parameters), filter, format)
    }

    private static func start(
        _ request: HTTPRequest, _ parameters: Parameters
    ) throws(ProblemDetails) -> Start {
        let after = try parameters.text("after", limit: 60)
        let consumer = try parameters.text("consumer", limit: 64)
        if after != nil, consumer != nil {
            throw .parameter(
                "after", expected: "it or consumer", found: "both")
        }
        // A browser that comes again knows better than the address it came with at first.
        let last = lastEventID.flatMap { request.headerFields[$0] } ?? ""
        let place = last.isEmpty ? nil : try cursor(last, "Last-Event-ID")
        if let consumer { return .consumer(try checked(consumer, "consumer"), after: place) }
        if let place { return .after(place) }
        guard let after else { return .now }
        return after == "oldest" ? .oldest : .after(try cursor(after, "after"))
    }

    private static func cursor(_ text: String, _ place: String) throws(ProblemDetails) -> Cursor {
        guard let cursor = Cursor(text) else { throw .notACursor(place, text) }
        return cursor
    }

    /// The reader that a path names.
    private static func reader(
        _ segments: [Substring]
    ) throws(ProblemDetails) -> JournalReader {
        let name = try checked(PercentEncoding.strictlyDecoded(segments[2]) ?? "", "name")
        return segments[1] == "sinks" ? .sink(name) : .consumer(name)
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
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "-._".utf8.contains(byte)
                }
            }
    }
}

extension Parameters {
    /// Yes or no; no where the parameter is not given.
    fileprivate func flag(_ name: String) throws(ProblemDetails) -> Bool {
        guard let text = try text(name, limit: 10) else { return false }
        guard let value = Bool(text) else {
            throw .parameter(name, expected: "true or false", quoting: text)
        }
        return value
    }

    /// At most 50 values of at most 60 characters, with a comma between them; none where the parameter is
    /// not given.
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
            status: .methodNotAllowed, code: "method-not-allowed",
            detail: "Expected " + expected.joined(separator: ", ") + ".",
            allowed: expected.joined(separator: ", "))
    }

    static func notACursor(_ name: String, _ text: String) -> Self {
        parameter(name, expected: "a cursor such as k3v9q0c2m7xd-42", quoting: text)
    }
}
