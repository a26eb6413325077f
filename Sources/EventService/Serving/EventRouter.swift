import Events
import HTTPService
import HTTPTypes
import Hummingbird
import Journal
import Logging
import NIOCore
import WireText

/// The requests of one listener.
///
/// It runs on the thread of the connections and never blocks it: events come from the feed, and what is on
/// the disk from the journal's own thread.
struct EventRouter: Sendable {
    typealias Handler = @Sendable (Request, EventContext) async throws -> Response

    /// Bytes of the content of a request that sets a cursor.
    private static let contentLimit = 4096
    /// The methods that a path may refuse.
    static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .delete, .patch, .options,
    ]

    let access: CurrentAccess
    let journal: EventJournal
    let feed: LiveFeed
    let comments: StreamComments
    let consumers: ConsumerReaders
    let status: StatusReader
    let reloads: ReloadRequests
    /// The `source` of events of the daemon itself.
    let source: String
    /// How long a request waits for the journal's disk, which may hang, or be full for a long time.
    let patience: Duration
    let now: @Sendable () -> EventTime
    let log: Logger

    /// Makes the routes; the gate comes before each, and before what has none.
    func routes() -> Router<EventContext> {
        let router = Router(context: EventContext.self)
        router.add(middleware: EventGate(access: access, log: log))
        func add(_ path: String, _ handlers: KeyValuePairs<HTTPRequest.Method, Handler>) {
            let found = handlers.flatMap { $0.key == .get ? [.get, .head] : [$0.key] }
            for (method, handler) in handlers {
                router.on(RouterPath(path), method: method, use: handler)
                if method == .get { router.on(RouterPath(path), method: .head, use: handler) }
            }
            for method in Self.methods where !found.contains(method) && method != .options {
                router.on(RouterPath(path), method: method) { _, _ -> Response in
                    throw ProblemDetails.otherMethod(expected: found.map(\.rawValue))
                }
            }
            // A browser asks what a page may do; the gate says it.
            router.on(RouterPath(path), method: .options) { _, _ in Response(status: .noContent) }
        }
        add("v1/events", [.get: events])
        add("v1/status", [.get: status])
        add("metrics", [.get: metrics])
        add("v1/reload", [.post: reload])
        add("openapi.json", [.get: openAPI])
        add("v1/sinks/{name}", [.get: cursor(JournalReader.sink), .put: move(JournalReader.sink)])
        add(
            "v1/consumers/{name}",
            [
                .get: cursor(JournalReader.consumer), .put: move(JournalReader.consumer),
                .delete: forget,
            ])
        for file in LivePage.allCases {
            add(
                file.rawValue,
                [
                    .get: { request, _ in
                        _ = try QueryParameters(of: request)
                        return file.answer
                    }
                ])
        }
        return router
    }

    @Sendable private func events(_ request: Request, _ context: EventContext) async throws
        -> Response
    {
        let (start, filter, format) = try request.stream()
        if case .consumer = start { try requireChanges() }
        let (place, consumer) = try await timely { try await begin(start) }
        record(start.words, context.channel)
        let stream = EventStream(
            router: self, consumer: consumer, filter: filter, format: format,
            channel: context.channel)
        var fields: HTTPFields = [
            .contentType: format.mediaType, .cacheControl: Caching.never.rawValue,
            .xContentTypeOptions: "nosniff",
        ]
        if let name = HTTPField.Name("Keywedge-Epoch") { fields[name] = "\(journal.epoch)" }
        return Response(
            status: .ok, headers: fields,
            body: ResponseBody { writer in
                var position = place
                try await stream.run(from: &position, into: writer)
            })
    }

    @Sendable private func status(_ request: Request, _: EventContext) async throws -> Response {
        let parameters = try QueryParameters(of: request, "codes")
        let hasCodes = try parameters.flag("codes")
        return Response(json: .object(await status.read().json(hasCodes: hasCodes)), .never)
    }

    @Sendable private func metrics(_ request: Request, _: EventContext) async throws -> Response {
        _ = try QueryParameters(of: request)
        return Response(MetricsText.mediaType, .never, await status.read().metrics)
    }

    @Sendable private func openAPI(_ request: Request, _: EventContext) throws -> Response {
        _ = try QueryParameters(of: request)
        return Response("application/json", .asking, PackageResources.openapi_json)
    }

    @Sendable private func reload(_ request: Request, _ context: EventContext) async throws
        -> Response
    {
        _ = try QueryParameters(of: request)
        try requireChanges()
        record("has the configuration read again", context.channel)
        do throws(ReloadRefusal) {
            let parts = try await reloads.reload()
            return Response(json: ["changes": .array(parts.map(\.json))], .never)
        } catch {
            throw ProblemDetails(
                error.status, error.code, error.reason,
                problems: error.problems)
        }
    }

    /// Refuses a request that changes something that is not the client's own, unless it may.
    private func requireChanges() throws(ProblemDetails) {
        guard access.policy.allowsChanges else { throw .onlyForReading }
    }

    /// Where a stream begins, nil for the oldest event there is, and the consumer that it reads as.
    private func begin(_ start: StreamStart) async throws -> (Cursor?, ConsumerReader?) {
        let now = Cursor(epoch: journal.epoch, sequence: feed.newest)
        switch start {
        case .now: return (now, nil)
        case .oldest: return (try await readable(after: nil), nil)
        case .after(let cursor): return (try await readable(after: cursor), nil)
        case .consumer(let name, let place):
            let known = try await journal.cursor(of: .consumer(name))
            let begin = place ?? known ?? now
            return (
                try await readable(after: begin),
                ConsumerReader(
                    name, in: journal, cursor: known?.sequence, start: begin.sequence)
            )
        }
    }

    /// A place in a journal that can be read; with one that cannot, a stream could only end, and the
    /// client would come again at once.
    private func readable(after cursor: Cursor?) async throws -> Cursor? {
        _ = try await journal.page(after: cursor, limit: 1)
        return cursor
    }

    private func cursor(_ kind: @escaping @Sendable (String) -> JournalReader) -> Handler {
        { request, context in
            let reader = kind(try request.name(context))
            return try await timely {
                guard let cursor = try await journal.cursor(of: reader) else {
                    throw ProblemDetails.noSuchReader(reader)
                }
                return Self.position(reader, cursor)
            }
        }
    }

    private func move(_ kind: @escaping @Sendable (String) -> JournalReader) -> Handler {
        { request, context in
            let reader = kind(try request.name(context))
            try requireChanges()
            let content = try await Self.content(of: request)
            return try await timely {
                try await move(reader, to: try await wantedCursor(content), context.channel)
            }
        }
    }

    @Sendable private func forget(_ request: Request, _ context: EventContext) async throws
        -> Response
    {
        let reader = JournalReader.consumer(try request.name(context))
        try requireChanges()
        return try await timely { try await forget(reader, context.channel) }
    }

    /// How far a reader got.
    private static func position(_ reader: JournalReader, _ cursor: Cursor) -> Response {
        Response(json: ["name": .string(reader.name), "cursor": .string("\(cursor)")], .never)
    }

    /// Reads where a client wants a reader to resume.
    private func wantedCursor(_ content: [UInt8]) async throws -> Cursor {
        let object = try? JSONReader.read(content).object
        guard let text = object?["cursor"]?.string, object?.members.count == 1 else {
            throw ProblemDetails.notACursorObject
        }
        switch text {
        case "oldest": return try await journal.oldest()
        case "newest": return Cursor(epoch: journal.epoch, sequence: feed.newest)
        default:
            guard let cursor = Cursor(text) else {
                throw ProblemDetails.notACursor("cursor", text)
            }
            guard cursor.sequence <= feed.newest else {
                throw ProblemDetails.cursorAhead(
                    Cursor(epoch: journal.epoch, sequence: feed.newest))
            }
            return cursor
        }
    }

    private func move(
        _ reader: JournalReader, to cursor: Cursor, _ channel: any Channel
    ) async throws -> Response {
        do {
            switch reader {
            case .consumer(let name): try await move(name, to: cursor, channel)
            case .sink(let name):
                record("moves the sink \(name.quoted(upTo: .max)) to \(cursor)", channel)
                let change = Change()
                guard journal.requests.move(name, to: cursor, isDone: change.end) else {
                    throw ProblemDetails.noSuchReader(reader)
                }
                try await change.outcome()
            }
        } catch JournalError.unknownEpoch {
            throw ProblemDetails.unknownEpoch(now: journal.epoch)
        } catch JournalError.cursorAhead(_, let end) {
            throw ProblemDetails.cursorAhead(end)
        }
        return Self.position(reader, Cursor(epoch: journal.epoch, sequence: cursor.sequence))
    }

    private func move(
        _ consumer: String, to cursor: Cursor, _ channel: any Channel
    ) async throws {
        let reader = consumers[consumer]
        let change = Change()
        journal.move(.consumer(consumer), to: cursor, isDone: change.end)
        let isCurrent = cursor.epoch == journal.epoch
        // An acknowledgement comes with each event, and is not worth a line.
        if !isCurrent || reader?.set(cursor.sequence) != true {
            record("moves the consumer \(consumer.quoted(upTo: .max)) to \(cursor)", channel)
        }
        // After this move, so that the two are committed together.
        reader?.moveCursor()
        try await change.outcome()
    }

    private func forget(
        _ reader: JournalReader, _ channel: any Channel
    ) async throws -> Response {
        guard try await journal.cursor(of: reader) != nil else {
            throw ProblemDetails.noSuchReader(reader)
        }
        record("removes the consumer \(reader.name.quoted(upTo: .max))", channel)
        consumers[reader.name]?.forget()
        let change = Change()
        journal.forget(reader, isDone: change.end)
        try await change.outcome()
        return Response(status: .noContent, headers: [.cacheControl: Caching.never.rawValue])
    }

    private static func content(
        of request: Request
    ) async throws(ProblemDetails) -> [UInt8] {
        var content: [UInt8] = []
        do {
            for try await part in request.body where content.count <= contentLimit {
                content += part.readableBytesView
            }
        } catch {
            // The client has gone in the middle.
            throw .notACursorObject
        }
        guard content.count <= contentLimit else { throw .notACursorObject }
        return content
    }

    /// Logs what a client does.
    func record(_ what: String, _ channel: any Channel) {
        let place =
            switch access.policy.listener {
            case .unixSocket: "on the unix socket"
            case .tcp: "at \(channel.remoteAddress?.ipAddress ?? "an address that is gone")"
            }
        log.info("a client \(place) \(what)")
    }
}
