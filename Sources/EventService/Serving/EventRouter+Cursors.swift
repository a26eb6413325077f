import HTTPService
import HTTPTypes
import Hummingbird
import Journal
import NIOCore
import Synchronization
import WireText

/// Requests that read or set the cursors of consumers and sinks, or remove consumers.
extension EventRouter {
    /// The maximum body size of a request that sets a cursor, in bytes.
    private static let contentLimit = 4096

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
            let content = try await Self.content(of: request)
            return try await timely {
                let cursor = try await wantedCursor(content)
                do {
                    try await move(reader, to: cursor, context.channel)
                } catch JournalError.unknownEpoch {
                    throw ProblemDetails.unknownEpoch(now: server.journal.epoch)
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
            try await Change.outcome { server.journal.forget(reader, isDone: $0) }
            return Response(status: .noContent, headers: [.cacheControl: Caching.never.rawValue])
        }
    }

    private static func position(_ reader: JournalReader, _ cursor: Cursor) -> Response {
        Response(json: ["name": .string(reader.name), "cursor": .string("\(cursor)")], .never)
    }

    /// Parses the cursor that a client wants to set: `EPOCH-SEQUENCE`, `oldest` or `newest`.
    private func wantedCursor(_ content: [UInt8]) async throws -> Cursor {
        let object = try? JSONReader.read(content).object
        guard let text = object?["cursor"]?.string, object?.members.count == 1 else {
            throw ProblemDetails.notACursorObject
        }
        let newest = Cursor(epoch: server.journal.epoch, sequence: server.feed.newest)
        if text == "oldest" { return try await server.journal.oldest() }
        if text == "newest" { return newest }
        guard let cursor = Cursor(text) else { throw ProblemDetails.notACursor("cursor", text) }
        guard cursor.sequence <= newest.sequence else { throw ProblemDetails.cursorAhead(newest) }
        return cursor
    }

    private func move(
        _ reader: JournalReader, to cursor: Cursor, _ channel: any Channel
    ) async throws {
        let what = "\(reader.isSink ? "sink" : "consumer") \(reader.name.quoted(upTo: .max))"
        guard !reader.isSink else {
            record("moves the \(what) to \(cursor)", channel)
            return try await Change.outcome { isDone in
                guard server.journal.requests.move(reader.name, to: cursor, isDone: isDone) else {
                    return isDone(.failure(ProblemDetails.noSuchReader(reader)))
                }
            }
        }
        try await Change.outcome { isDone in
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

    private static func content(of request: Request) async throws(ProblemDetails) -> [UInt8] {
        var content: [UInt8] = []
        do {
            for try await part in request.body where content.count <= contentLimit {
                content += part.readableBytesView
            }
        } catch {
            // The client disconnected in the middle of the body.
            throw .notACursorObject
        }
        guard content.count <= contentLimit else { throw .notACursorObject }
        return content
    }
}

/// Starts a change to the journal and waits for its outcome; a cancellation ends the wait, but not the change.
private enum Change {
    static func outcome(
        of start: (@escaping @Sendable (Result<Void, any Error>) -> Void) -> Void
    ) async throws {
        let (results, result) = AsyncThrowingStream<Void, any Error>.makeStream()
        start { result.yield(with: $0) }
        for try await _ in results { return }
        throw CancellationError()
    }
}

extension ProblemDetails {
    fileprivate static func noSuchReader(_ reader: JournalReader) -> Self {
        reader.isSink
            ? Self(
                .notFound, "no-such-sink",
                "No sink of this name runs; expected one of events in the configuration.")
            : Self(
                .notFound, "no-such-consumer",
                "The journal has no consumer of this name; a consumer is created when its "
                    + "first event is sent or its cursor is set.")
    }

    fileprivate static let notACursorObject = Self(
        .badRequest, "not-a-cursor",
        "Expected {\"cursor\":\"EPOCH-SEQUENCE\"}, with oldest or newest in place of it.")

    fileprivate static func unknownEpoch(now epoch: Epoch) -> Self {
        Self(
            .conflict, "unknown-epoch",
            "The cursor belongs to another journal; the current epoch is \(epoch).")
    }

    fileprivate static func cursorAhead(_ newest: Cursor) -> Self {
        Self(
            .conflict, "cursor-ahead", "The cursor is ahead of all events; the newest is \(newest)."
        )
    }
}
