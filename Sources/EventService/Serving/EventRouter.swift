import HTTPService
import HTTPTypes
import Hummingbird
import Journal
import Logging
import NIOCore
import Synchronization
import WebAPI
import WireText

/// A router for the requests that arrive at one of the server's listening sockets, unix or TCP.
///
/// It never blocks the connections' event loop: it takes new events from the feed, and older ones from the journal,
/// which reads on its own thread.
struct EventRouter: Sendable {
    typealias Handler = @Sendable (Request, EventContext) async throws -> Response

    /// The methods registered for every path, even if the path does not support them.
    static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .delete, .patch, .options,
    ]

    let server: EventServer
    let place: InterfaceSockets.Place

    var policy: EventAccessPolicy { server.sockets.policy(of: place) }

    /// Returns the router, which runs ``EventGate`` for each route and for unknown paths.
    func routes() -> Router<EventContext> {
        let router = Router(context: EventContext.self)
        router.add(middleware: EventGate(router: self))
        func add(_ path: String, _ handlers: KeyValuePairs<HTTPRequest.Method, Handler>) {
            let known = handlers.flatMap { $0.key == .get ? ["GET", "HEAD"] : [$0.key.rawValue] }
            for method in Self.methods {
                let key = method == .head ? .get : method
                let handler = handlers.first { $0.key == key }?.value
                router.on(RouterPath(path), method: method) { request, context -> Response in
                    if let handler { return try await handler(request, context) }
                    // The gate adds the header fields that answer a browser's preflight request.
                    if method == .options { return Response(status: .noContent) }
                    throw ProblemDetails.otherMethod(expected: known.joined(separator: ", "))
                }
            }
        }
        add("v1/events", [.get: events])
        add("v1/status", [.get: status])
        add("metrics", [.get: metrics])
        add("v1/reload", [.post: reload])
        add("v1/sinks/{name}", [.get: cursor(JournalReader.sink), .put: move(JournalReader.sink)])
        add(
            "v1/consumers/{name}",
            [
                .get: cursor(JournalReader.consumer), .put: move(JournalReader.consumer),
                .delete: forget,
            ])
        let description = Response("application/json", .asking, PackageResources.openapi_json)
        for (path, answer) in [("openapi.json", description)] + LivePage.answers {
            let handler: Handler = { request, _ in
                _ = try QueryParameters(of: request)
                return answer
            }
            add(path, [.get: handler])
        }
        return router
    }

    @Sendable private func events(
        _ request: Request, _ context: EventContext
    ) async throws -> Response {
        let (start, filter, format) = try request.stream()
        if case .consumer = start { try requireChanges() }
        let (place, consumer) = try await timely { try await begin(start) }
        let name = consumer.map { " as consumer \($0.name.quoted(upTo: .max))" } ?? ""
        record("reads events\(name)", context.channel)
        var response = Response(
            status: .ok,
            headers: [
                .contentType: format.mediaType, .cacheControl: Caching.never.rawValue,
                .xContentTypeOptions: "nosniff",
            ],
            body: ResponseBody { writer in
                var stream = EventStream(
                    router: self, position: place, consumer: consumer, filter: filter,
                    format: format, channel: context.channel,
                    signal: consumer?.signal ?? StreamSignal())
                try await stream.run(into: writer)
            })
        response.set("Keywedge-Epoch", "\(server.journal.epoch)")
        return response
    }

    @Sendable private func status(_ request: Request, _: EventContext) async throws -> Response {
        let hasCodes = try QueryParameters(of: request, "codes").flag("codes")
        var status = await server.status().status
        for index in status.scanners.indices where !hasCodes {
            status.scanners[index].lastText = nil
        }
        // keywedge's JSON writer escapes more than Foundation's, so that text in a status cannot control a terminal.
        let payload = try Payload.json(status, keys: .snakeCase)
        return Response(json: try JSONReader.read(payload.bytes), .never)
    }

    @Sendable private func metrics(_ request: Request, _: EventContext) async throws -> Response {
        _ = try QueryParameters(of: request)
        return Response(MetricsText.mediaType, .never, await server.metrics())
    }

    @Sendable private func reload(
        _ request: Request, _ context: EventContext
    ) async throws -> Response {
        _ = try QueryParameters(of: request)
        try requireChanges()
        record("has the configuration read again", context.channel)
        let parts = try await server.reloads.reload()
        return Response(json: ["changes": .array(parts.map(\.json))], .never)
    }

    /// Throws if this socket or address is read-only.
    func requireChanges() throws(ProblemDetails) {
        guard policy.allowsChanges else { throw .onlyForReading }
    }

    /// Returns the cursor before the stream's first event (nil for the oldest event) and the stream's consumer, if any.
    ///
    /// Throws if the journal cannot be read, because a stream that ended at once would make clients reconnect forever.
    private func begin(_ start: StreamStart) async throws -> (Cursor?, ConsumerReader?) {
        let journal = server.journal
        let now = Cursor(epoch: journal.epoch, sequence: server.feed.newest)
        var place: Cursor?
        var consumer: ConsumerReader?
        switch start {
        case .now: return (now, nil)
        case .oldest: break
        case .after(let cursor): place = cursor
        case .consumer(let name, let after):
            let known = try await journal.cursor(of: .consumer(name))
            let begin = after ?? known ?? now
            place = begin
            consumer = ConsumerReader(
                name, in: journal, cursor: known?.sequence, start: begin.sequence)
        }
        _ = try await journal.page(after: place, limit: 1)
        return (place, consumer)
    }

    /// Returns a journal operation's result; throws if it takes longer than ``EventServer/patience``.
    func timely<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let value = try await within(server.patience, body) else {
            throw ProblemDetails(
                .serviceUnavailable, "journal-silent",
                "The journal's disk has not answered for \(server.patience.text); a change is still "
                    + "made if it answers later.")
        }
        return value
    }

    /// Logs what a client does, for example `a client on the unix socket reads events`.
    func record(_ what: String, _ channel: any Channel) {
        let address = channel.remoteAddress?.ipAddress ?? "an address that is gone"
        server.log.info(
            "a client \(place == .socket ? "on the unix socket" : "at \(address)") \(what)")
    }
}

/// Handlers that read or set the cursors of consumers and sinks, or remove consumers.
extension EventRouter {
    func cursor(_ kind: @escaping @Sendable (String) -> JournalReader) -> Handler {
        { request, context in
            let reader = kind(try request.name(context))
            return try await timely {
                guard let cursor = try await server.journal.cursor(of: reader) else {
                    throw ProblemDetails.noSuchReader(reader)
                }
                return Self.position(reader, cursor)
            }
        }
    }

    func move(_ kind: @escaping @Sendable (String) -> JournalReader) -> Handler {
        { request, context in
            let reader = kind(try request.name(context))
            try requireChanges()
            let text = try await Self.wantedCursor(request)
            return try await timely {
                let cursor = try await cursor(of: text)
                do {
                    try await move(reader, to: cursor, context.channel)
                } catch JournalError.unknownEpoch {
                    throw ProblemDetails(
                        .conflict, "unknown-epoch",
                        "The cursor belongs to another journal; the current epoch is "
                            + "\(server.journal.epoch).")
                } catch JournalError.cursorAhead(_, let end) {
                    throw ProblemDetails.cursorAhead(end)
                }
                return Self.position(
                    reader, Cursor(epoch: server.journal.epoch, sequence: cursor.sequence))
            }
        }
    }

    @Sendable func forget(_ request: Request, _ context: EventContext) async throws -> Response {
        let reader = JournalReader.consumer(try request.name(context))
        try requireChanges()
        return try await timely {
            guard try await server.journal.cursor(of: reader) != nil else {
                throw ProblemDetails.noSuchReader(reader)
            }
            record("removes the consumer \(reader.name.quoted(upTo: .max))", context.channel)
            server.consumers[reader.name]?.progress.withLock { $0.forget() }
            try await outcome { server.journal.forget(reader, isDone: $0) }
            return Response(status: .noContent, headers: [.cacheControl: Caching.never.rawValue])
        }
    }

    private static func position(_ reader: JournalReader, _ cursor: Cursor) -> Response {
        Response(json: ["name": .string(reader.name), "cursor": .string("\(cursor)")], .never)
    }

    /// Reads the text of the cursor that a client wants to set: `EPOCH-SEQUENCE`, `oldest` or `newest`.
    private static func wantedCursor(_ request: Request) async throws -> String {
        // Fails if the body is too long, or if the client disconnects in the middle of it.
        let body = try? await request.body.collect(upTo: 4096)
        let object = try? JSONReader.read(Array(buffer: body ?? ByteBuffer())).object
        guard let text = object?["cursor"]?.string, object?.members.count == 1 else {
            throw ProblemDetails.notACursorObject
        }
        return text
    }

    private func cursor(of text: String) async throws -> Cursor {
        let newest = Cursor(epoch: server.journal.epoch, sequence: server.feed.newest)
        if text == "oldest" { return try await server.journal.oldest() }
        if text == "newest" { return newest }
        let cursor = try Cursor(text, in: "cursor")
        guard cursor.sequence <= newest.sequence else { throw ProblemDetails.cursorAhead(newest) }
        return cursor
    }

    private func move(
        _ reader: JournalReader, to cursor: Cursor, _ channel: any Channel
    ) async throws {
        let what = "\(reader.isSink ? "sink" : "consumer") \(reader.name.quoted(upTo: .max))"
        guard !reader.isSink else {
            record("moves the \(what) to \(cursor)", channel)
            return try await outcome { isDone in
                guard server.journal.requests.move(reader.name, to: cursor, isDone: isDone) else {
                    return isDone(.failure(ProblemDetails.noSuchReader(reader)))
                }
            }
        }
        try await outcome { isDone in
            server.journal.move(reader, to: cursor, isDone: isDone)
            let consumer = server.consumers[reader.name]
            let isCurrent = cursor.epoch == server.journal.epoch
            // Acknowledgements arrive with every event, so they are not logged.
            if !isCurrent || consumer?.progress.withLock({ $0.set(cursor.sequence) }) != true {
                record("moves the \(what) to \(cursor)", channel)
            }
            // This must follow the move above, so that both are committed together.
            consumer?.moveCursor()
        }
    }
}

/// Starts a change to the journal and waits for its outcome; cancelling ends only the wait.
private func outcome(of change: (@escaping CursorRequests.Completion) -> Void) async throws {
    let (results, result) = AsyncThrowingStream<Void, any Error>.makeStream()
    change { result.yield(with: $0) }
    for try await _ in results { return }
    throw CancellationError()
}

extension ProblemDetails {
    static let journalUnavailable = Self(
        .serviceUnavailable, "journal-unavailable",
        "The journal cannot be read at the moment; see the daemon's log.")

    fileprivate static func otherMethod(expected methods: String) -> Self {
        Self(.methodNotAllowed, "method-not-allowed", "Expected \(methods).", allowed: methods)
    }

    fileprivate static func noSuchReader(_ reader: JournalReader) -> Self {
        let detail =
            reader.isSink
            ? "No sink of this name runs; expected one of events in the configuration."
            : "The journal has no consumer of this name; a consumer is created when its first "
                + "event is sent or its cursor is set."
        return Self(.notFound, reader.isSink ? "no-such-sink" : "no-such-consumer", detail)
    }

    fileprivate static let notACursorObject = Self(
        .badRequest, "not-a-cursor",
        "Expected {\"cursor\":\"EPOCH-SEQUENCE\"}, with oldest or newest in place of it.")

    fileprivate static func cursorAhead(_ newest: Cursor) -> Self {
        let detail = "The cursor is ahead of all events; the newest is \(newest)."
        return Self(.conflict, "cursor-ahead", detail)
    }
}
