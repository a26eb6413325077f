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
                status: .notFound, code: "no-such-sink",
                detail: "No sink of this name runs; expected one of events in the configuration.")
            : Self(
                status: .notFound, code: "no-such-consumer",
                detail: "The journal has no consumer of this name; one is made when it is sent its "
                    + "first event, or when its cursor is set.")
    }

    static let notACursorObject = Self(
        status: .badRequest, code: "not-a-cursor",
        detail: "Expected {\"cursor\":\"EPOCH-SEQUENCE\"}, with oldest or newest in place of it.")

    static let journalUnavailable = Self(
        status: .serviceUnavailable, code: "journal-unavailable",
        detail: "The journal cannot be read at the moment; the daemon's log says why.")

    static func journalSilent(for time: Duration) -> Self {
        Self(
            status: .serviceUnavailable, code: "journal-silent",
            detail: "The journal's disk has not answered for \(time.text); a change is still made "
                + "if it answers later.")
    }

    static func unknownEpoch(now epoch: Epoch) -> Self {
        Self(
            status: .conflict, code: "unknown-epoch",
            detail: "The cursor is of a journal that this one knows nothing of; it is in the epoch "
                + "\(epoch).")
    }

    static func cursorAhead(_ newest: Cursor) -> Self {
        Self(
            status: .conflict, code: "cursor-ahead",
            detail: "The cursor is ahead of all events; the newest is \(newest).")
    }
}
