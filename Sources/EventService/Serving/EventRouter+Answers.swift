import HTTPService
import HTTPTypes
import Journal
import WebAPI
import WireText

extension EventRouter {
    /// Waits for the journal, and refuses the request once ``patience`` is over.
    func timely<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask(operation: body)
            group.addTask { [patience] in
                try await EventLoopClock().sleep(for: patience)
                throw ProblemDetails.journalSilent(for: patience)
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}

/// A change of the journal that a request waits for; a cancelled request no longer waits.
struct Change: Sendable {
    private let results: AsyncThrowingStream<Void, any Error>
    private let result: AsyncThrowingStream<Void, any Error>.Continuation

    init() { (results, result) = AsyncThrowingStream.makeStream() }

    @Sendable func end(_ outcome: Result<Void, any Error>) { result.yield(with: outcome) }

    func outcome() async throws {
        for try await _ in results { return }
        throw CancellationError()
    }
}

extension StreamStart {
    /// What a client that begins there does, for the log.
    var words: String {
        guard case .consumer(let name, _) = self else { return "reads events" }
        return "reads events as consumer \(name.quoted(upTo: .max))"
    }
}

extension ReloadRefusal {
    var status: HTTPResponse.Status {
        switch code {
        case Self.ending.code: .serviceUnavailable
        case Self.needsRestart([]).code: .conflict
        default: .unprocessableContent
        }
    }
}

extension ProblemDetails {
    static func noSuchReader(_ reader: JournalReader) -> Self {
        reader.isSink
            ? Self(
                .notFound, "no-such-sink",
                "No sink of this name runs; expected one of events in the configuration.")
            : Self(
                .notFound, "no-such-consumer",
                "The journal has no consumer of this name; one is made when it is sent its "
                    + "first event, or when its cursor is set.")
    }

    static let notACursorObject = Self(
        .badRequest, "not-a-cursor",
        "Expected {\"cursor\":\"EPOCH-SEQUENCE\"}, with oldest or newest in place of it.")

    static let journalUnavailable = Self(
        .serviceUnavailable, "journal-unavailable",
        "The journal cannot be read at the moment; the daemon's log says why.")

    static func journalSilent(for time: Duration) -> Self {
        Self(
            .serviceUnavailable, "journal-silent",
            "The journal's disk has not answered for \(time.text); a change is still made "
                + "if it answers later.")
    }

    static func unknownEpoch(now epoch: Epoch) -> Self {
        Self(
            .conflict, "unknown-epoch",
            "The cursor is of a journal that this one knows nothing of; it is in the epoch "
                + "\(epoch).")
    }

    static func cursorAhead(_ newest: Cursor) -> Self {
        Self(
            .conflict, "cursor-ahead", "The cursor is ahead of all events; the newest is \(newest)."
        )
    }
}
