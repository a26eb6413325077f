import HTTPService
import HTTPTypes
import Hummingbird
import Journal
import Logging
import NIOCore
import WebAPI
import WireText

/// Answers requests at either the unix socket or the TCP address.
///
/// The router runs on the event loop of the connections and never blocks it: new events come from the feed, and older
/// ones from the journal, which reads on its own thread.
struct EventRouter: Sendable {
    typealias Handler = @Sendable (Request, EventContext) async throws -> Response

    /// Requests with these methods get status 405 if their path exists but does not support the method.
    static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .delete, .patch, .options,
    ]

    let server: EventServer
    let place: InterfaceSockets.Place

    var policy: EventAccessPolicy { server.sockets.policy(of: place) }

    /// Makes the router, which runs ``EventGate`` before each route and before the response to an unknown path.
    func routes() -> Router<EventContext> {
        let router = Router(context: EventContext.self)
        router.add(middleware: EventGate(router: self))
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
            // The gate adds the header fields that answer a browser's preflight request.
            router.on(RouterPath(path), method: .options) { _, _ in Response(status: .noContent) }
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
            add(
                path,
                [
                    .get: { request, _ in
                        _ = try QueryParameters(of: request)
                        return answer
                    }
                ])
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
                    format: format, channel: context.channel)
                try await stream.run(into: writer)
            })
        response.set("Keywedge-Epoch", "\(server.journal.epoch)")
        return response
    }

    @Sendable private func status(_ request: Request, _: EventContext) async throws -> Response {
        let hasCodes = try QueryParameters(of: request, "codes").flag("codes")
        let status = await server.status().status
        // keywedge's JSON writer escapes more than Foundation's, so that text in a status cannot control a terminal.
        let payload = try Payload.json(hasCodes ? status : status.withoutCodes, keys: .snakeCase)
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
        do throws(ReloadRefusal) {
            let parts = try await server.reloads.reload()
            return Response(json: ["changes": .array(parts.map(\.json))], .never)
        } catch {
            throw ProblemDetails(error.status, error.code, error.reason, problems: error.problems)
        }
    }

    /// Throws if this socket or address allows only reading.
    func requireChanges() throws(ProblemDetails) {
        guard policy.allowsChanges else { throw .onlyForReading }
    }

    /// Returns the cursor before the stream's first event (nil for the oldest event) and the stream's consumer, if any.
    ///
    /// Throws if the journal cannot be read: the stream would end immediately, and clients would reconnect endlessly.
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

    /// Waits for a journal operation; refuses the request if it takes longer than ``EventServer/patience``.
    func timely<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let value = try await within(server.patience, body) else {
            throw ProblemDetails.journalSilent(for: server.patience)
        }
        return value
    }

    /// Logs what a client does: `a client on the unix socket reads events`.
    func record(_ what: String, _ channel: any Channel) {
        let address = channel.remoteAddress?.ipAddress ?? "an address that is gone"
        server.log.info(
            "a client \(place == .socket ? "on the unix socket" : "at \(address)") \(what)")
    }
}

extension DaemonStatus {
    fileprivate var withoutCodes: DaemonStatus {
        var status = self
        for index in status.scanners.indices { status.scanners[index].lastText = nil }
        return status
    }
}

extension ProblemDetails {
    static let journalUnavailable = Self(
        .serviceUnavailable, "journal-unavailable",
        "The journal cannot be read at the moment; see the daemon's log.")

    fileprivate static func journalSilent(for time: Duration) -> Self {
        Self(
            .serviceUnavailable, "journal-silent",
            "The journal's disk has not answered for \(time.text); a change is still made "
                + "if it answers later.")
    }

    fileprivate static func otherMethod(expected: [String]) -> Self {
        let methods = expected.joined(separator: ", ")
        return Self(
            .methodNotAllowed, "method-not-allowed", "Expected \(methods).", allowed: methods)
    }
}
