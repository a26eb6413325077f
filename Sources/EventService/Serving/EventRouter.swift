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
/// It runs on the thread of the connections and never blocks it: events come from the feed, and what is on
/// the disk from the journal's own thread.
struct EventRouter: Sendable {
    private static let challenge = #"Bearer realm="keywedge events""#
    /// Bytes of the content of a request that sets a cursor.
    private static let contentLimit = 4096

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

    /// What a request gets.
    private enum Reply {
        case stream(StreamFormat, EventFilter, from: Cursor?, as: ConsumerReader?)
        case answer(Answer)
    }

    /// Answers a request.
    @Sendable func respond(
        to request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        var origin: String?
        let reply = await reply(to: request, channel, &origin)
        switch reply {
        case .stream(let format, let filter, var position, let consumer):
            let head = Self.head(format, origin, epoch: journal.epoch)
            guard request.method != .head else { return try await writer.writeResponse(head) }
            let stream = EventStream(
                router: self, consumer: consumer, filter: filter, format: format, channel: channel)
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
            let policy = access.policy
            origin = try policy.check(
                request.head, port: channel.localAddress?.port,
                isOpen: EventRequest.isOpen(request.head.path))
            let asked = try EventRequest(request.head)
            guard policy.allowsChanges || !asked.isChange else {
                throw ProblemDetails.onlyForReading
            }
            return try await reply(to: asked, request, channel)
        } catch let problem as ProblemDetails {
            return .answer(Answer(problem, challenge: Self.challenge))
        } catch {
            // A cancelled request is one whose client has gone, or of a daemon that ends.
            if !(error is CancellationError) { log.warning("\(error)") }
            return .answer(Answer(.journalUnavailable, challenge: Self.challenge))
        }
    }

    private func reply(
        to asked: EventRequest, _ request: Request, _ channel: any Channel
    ) async throws -> Reply {
        switch asked {
        case .events(let start, let filter, let format):
            let (position, consumer) = try await timely { try await begin(start) }
            record(start.words, channel)
            return .stream(format, filter, from: position, as: consumer)
        case .cursor(let reader):
            return .answer(try await timely { try await cursor(of: reader) })
        case .move(let reader):
            let content = try await Self.content(of: request)
            return .answer(
                try await timely {
                    try await move(reader, to: try await wantedCursor(content), channel)
                })
        case .forget(let reader):
            return .answer(try await timely { try await forget(reader, channel) })
        case .status(let hasCodes):
            var body: [UInt8] = []
            JSONWriter.append(await status.read().json(hasCodes: hasCodes), to: &body)
            return .answer(.json(body, caching: .never))
        case .metrics: return .answer(.metrics(await status.read().metrics))
        case .openAPI:
            return .answer(.json(PackageResources.openapi_json, caching: .asking))
        case .page(let file): return .answer(file.answer)
        case .reload:
            record("has the configuration read again", channel)
            return .answer(.reloaded(try await reload()))
        case .preflight: return .answer(Answer(.noContent, fields: [:], body: nil))
        }
    }

    /// Where a stream begins, nil for the oldest event there is, and the consumer that it reads as.
    private func begin(_ start: EventRequest.Start) async throws -> (Cursor?, ConsumerReader?) {
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

    private func reload() async throws(ProblemDetails) -> [ReloadedPart] {
        do throws(ReloadRefusal) {
            return try await reloads.reload()
        } catch {
            throw ProblemDetails(
                status: error.status, code: error.code, detail: error.reason,
                problems: error.problems)
        }
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

    private func move(
        _ reader: JournalReader, to cursor: Cursor, _ channel: any Channel
    ) async throws -> Answer {
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
        return .reader(reader, Cursor(epoch: journal.epoch, sequence: cursor.sequence))
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

    private func forget(_ reader: JournalReader, _ channel: any Channel) async throws -> Answer {
        guard try await journal.cursor(of: reader) != nil else {
            throw ProblemDetails.noSuchReader(reader)
        }
        record("removes the consumer \(reader.name.quoted(upTo: .max))", channel)
        consumers[reader.name]?.forget()
        let change = Change()
        journal.forget(reader, isDone: change.end)
        try await change.outcome()
        return Answer(.noContent, fields: [.cacheControl: Caching.never.rawValue], body: nil)
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
        fields[.accessControlAllowMethods] = "GET, HEAD, PUT, DELETE, POST"
        fields[.accessControlAllowHeaders] = "Authorization, Content-Type, Last-Event-ID"
        fields[.accessControlMaxAge] = "600"
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
