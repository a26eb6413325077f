import Events
import HTTPService
import HTTPTypes
import HummingbirdCore
import Journal
import Logging
import NIOCore
import WireText

/// Answers the requests of one listener.
///
/// What it does runs on the thread of the connections, and never waits there: events come from the
/// feed, and what is on the disk from the journal's own thread.
struct EventRouter: Sendable {
    private static let challenge = #"Bearer realm="keywedge events""#
    /// Bytes of the content of a request that sets a cursor.
    private static let contentLimit = 4096

    let access: CurrentAccess
    let journal: EventJournal
    let feed: LiveFeed
    let comments: StreamComments
    let status: StatusReader
    let reloads: ReloadRequests
    /// The `source` of events of the daemon itself.
    let source: String
    let now: @Sendable () -> EventTime
    let users: UserNames
    let log: Logger

    /// What a request gets.
    private enum Reply {
        case stream(StreamFormat, EventFilter, from: Cursor?)
        case answer(Answer)
    }

    /// Answers a request.
    @Sendable func respond(
        to request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        var origin: String?
        let reply = await reply(to: request, channel, &origin)
        switch reply {
        case .stream(let format, let filter, var position):
            let head = Self.head(format, origin, epoch: journal.epoch)
            guard request.method != .head else { return try await writer.writeResponse(head) }
            let stream = EventStream(
                router: self, filter: filter, format: format, channel: channel)
            try await stream.run(from: &position, into: try await writer.writeHead(head))
        case .answer(let answer):
            var head = answer.head
            Self.allow(origin, in: &head.headerFields, isPreflight: request.method == .options)
            guard request.method != .head, let body = answer.body else {
                return try await writer.writeResponse(head)
            }
            try await writer.write(
                response: head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
        }
    }

    private func reply(
        to request: Request, _ channel: any Channel, _ origin: inout String?
    ) async -> Reply {
        do {
            origin = try access.policy.check(
                request.head, port: channel.localAddress?.port,
                isOpen: EventRequest.isOpen(request.head.path))
            switch try EventRequest(request.head) {
            case .events(let start, let filter, let format):
                let position = try await self.position(start)
                await note(start.words, channel)
                return .stream(format, filter, from: position)
            case .cursor(let reader):
                try check(reader)
                return .answer(try await cursor(of: reader))
            case .move(let reader):
                try check(reader)
                let cursor = try await wantedCursor(try await Self.content(of: request))
                if reader.isSink {
                    await note("has the sink \(reader.name.quoted(upTo: .max)) go on", channel)
                }
                return .answer(try await move(reader, to: cursor))
            case .status(let hasCodes):
                var body: [UInt8] = []
                JSONWriter.append(await status.read().json(hasCodes: hasCodes), to: &body)
                return .answer(.json(body, caching: .never))
            case .metrics:
                return .answer(
                    Answer(
                        .ok,
                        fields: [
                            .contentType: MetricsText.mediaType,
                            .cacheControl: Caching.never.rawValue,
                        ], body: await status.read().metrics))
            case .openAPI:
                return .answer(.json(PackageResources.openapi_json, caching: .asking))
            case .page(let file): return .answer(file.answer)
            case .reload:
                try checkIsOnSocket()
                await note("has the configuration taken anew", channel)
                return .answer(.reloaded(try await reload()))
            case .preflight: return .answer(Answer(.noContent, fields: [:], body: nil))
            }
        } catch let problem as ProblemDetails {
            return .answer(Answer(problem, challenge: Self.challenge))
        } catch {
            log.warning("\(error)")
            return .answer(Answer(.journalUnavailable, challenge: Self.challenge))
        }
    }

    /// Where a stream begins; nil for the oldest event there is.
    private func position(_ start: EventRequest.Start) async throws -> Cursor? {
        switch start {
        case .now: return Cursor(epoch: journal.epoch, sequence: feed.newest)
        case .oldest: return try await readable(after: nil)
        case .after(let cursor): return try await readable(after: cursor)
        case .consumer(let name):
            if let cursor = try await journal.cursor(of: .consumer(name)) { return cursor }
            let end = Cursor(epoch: journal.epoch, sequence: feed.newest)
            try await journal.move(.consumer(name), to: end)
            return end
        }
    }

    /// A place in a journal that can be read; with one that cannot, a stream could only end, and the
    /// client would come again at once.
    private func readable(after cursor: Cursor?) async throws -> Cursor? {
        _ = try await journal.page(after: cursor, limit: 1)
        return cursor
    }

    private func reload() async throws(ProblemDetails) -> [ReloadedPart] {
        do throws(ReloadRefusal) {
            return try await reloads.reload()
        } catch {
            throw ProblemDetails(
                status: error.status, code: error.code, detail: error.reason,
                problems: error.problems)
        }
    }

    /// Sinks are set back by whoever may use the socket: they send to others, and no page shall make
    /// them.
    private func check(_ reader: JournalReader) throws(ProblemDetails) {
        guard reader.isSink else { return }
        try checkIsOnSocket()
    }

    private func checkIsOnSocket() throws(ProblemDetails) {
        guard case .unixSocket = access.policy.listener else { throw .onlyOnSocket }
    }

    private func cursor(of reader: JournalReader) async throws -> Answer {
        guard let cursor = try await journal.cursor(of: reader) else {
            throw ProblemDetails.noSuchReader(reader)
        }
        return .reader(reader, cursor)
    }

    /// Reads where somebody wants a reader to go on.
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

    private func move(_ reader: JournalReader, to cursor: Cursor) async throws -> Answer {
        do {
            switch reader {
            case .consumer: try await journal.move(reader, to: cursor)
            case .sink(let name):
                guard try await journal.requests.move(name, to: cursor) else {
                    throw ProblemDetails.noSuchReader(reader)
                }
            }
        } catch JournalError.unknownEpoch {
            throw ProblemDetails.unknownEpoch(now: journal.epoch)
        } catch JournalError.cursorAhead(_, let end) {
            throw ProblemDetails.cursorAhead(end)
        }
        return .reader(reader, Cursor(epoch: journal.epoch, sequence: cursor.sequence))
    }

    private static func content(of request: Request) async throws -> [UInt8] {
        var content: [UInt8] = []
        for try await part in request.body {
            content += part.readableBytesView
            guard content.count <= contentLimit else {
                throw ProblemDetails.notACursorObject
            }
        }
        return content
    }

    private static func head(
        _ format: StreamFormat, _ origin: String?, epoch: Epoch
    ) -> HTTPResponse {
        var fields: HTTPFields = [
            .contentType: format.mediaType, .cacheControl: Caching.never.rawValue,
            .xContentTypeOptions: "nosniff",
        ]
        if let name = HTTPField.Name("Keywedge-Epoch") { fields[name] = "\(epoch)" }
        allow(origin, in: &fields, isPreflight: false)
        return HTTPResponse(status: .ok, headerFields: fields)
    }

    /// Lets a page read the answer, where it is of an origin that is listed.
    private static func allow(
        _ origin: String?, in fields: inout HTTPFields, isPreflight: Bool
    ) {
        fields[.vary] = "Origin"
        guard let origin else { return }
        fields[.accessControlAllowOrigin] = origin
        guard isPreflight else {
            fields[.accessControlExposeHeaders] = "Keywedge-Epoch"
            return
        }
        fields[.accessControlAllowMethods] = "GET, HEAD, PUT"
        fields[.accessControlAllowHeaders] = "Authorization, Content-Type, Last-Event-ID"
        fields[.accessControlMaxAge] = "600"
    }

    /// Says who does something, as the kernel knows it.
    private func note(_ what: String, _ channel: any Channel) async {
        guard let peer = await ConnectedUser.of(channel) else {
            log.info("\(channel.remoteAddress?.ipAddress ?? "somebody") \(what)")
            return
        }
        users.find(peer.user) { [log] name in log.info("\(peer.text(name: name)) \(what)") }
    }
}

extension EventRequest.Start {
    /// What somebody does who begins there, for the log.
    fileprivate var words: String {
        guard case .consumer(let name) = self else { return "reads events" }
        return "reads events as consumer \(name.quoted(upTo: .max))"
    }
}

extension Answer {
    /// JSON that is to be asked for again.
    fileprivate static func json(_ body: [UInt8], caching: Caching) -> Answer {
        Answer(
            .ok, fields: [.contentType: "application/json", .cacheControl: caching.rawValue],
            body: body)
    }

    /// What a reload changed.
    fileprivate static func reloaded(_ parts: [ReloadedPart]) -> Answer {
        var body: [UInt8] = []
        JSONWriter.append(["changes": .array(parts.map(\.json))] as JSONValue, to: &body)
        return json(body, caching: .never)
    }

    /// How far a reader got.
    fileprivate static func reader(_ reader: JournalReader, _ cursor: Cursor) -> Answer {
        var body: [UInt8] = []
        JSONWriter.append(
            ["name": .string(reader.name), "cursor": .string("\(cursor)")] as JSONValue, to: &body)
        return json(body, caching: .never)
    }
}

extension ReloadRefusal {
    fileprivate var status: HTTPResponse.Status {
        switch code {
        case Self.ending.code: .serviceUnavailable
        case Self.needsRestart([]).code: .conflict
        default: .unprocessableContent
        }
    }
}

extension ProblemDetails {
    fileprivate static func noSuchReader(_ reader: JournalReader) -> Self {
        reader.isSink
            ? Self(
                status: .notFound, code: "no-such-sink",
                detail: "No sink of this name runs; expected one of events in the configuration.")
            : Self(
                status: .notFound, code: "no-such-consumer",
                detail: "The journal has no consumer of this name; GET /v1/events?consumer= makes "
                    + "one.")
    }

    fileprivate static let onlyOnSocket = Self(
        status: .forbidden, code: "only-on-socket",
        detail: "Sinks and the configuration are a matter of the unix socket only.")

    fileprivate static let notACursorObject = Self(
        status: .badRequest, code: "not-a-cursor",
        detail: "Expected {\"cursor\":\"EPOCH-SEQUENCE\"}, with oldest or newest in place of it.")

    fileprivate static let journalUnavailable = Self(
        status: .serviceUnavailable, code: "journal-unavailable",
        detail: "The journal cannot be read at the moment; the daemon's log says why.")

    fileprivate static func unknownEpoch(now epoch: Epoch) -> Self {
        Self(
            status: .conflict, code: "unknown-epoch",
            detail: "The cursor is of a journal that this one knows nothing of; it is in the epoch "
                + "\(epoch).")
    }

    fileprivate static func cursorAhead(_ newest: Cursor) -> Self {
        Self(
            status: .conflict, code: "cursor-ahead",
            detail: "The cursor is ahead of all events; the newest is \(newest).")
    }
}
