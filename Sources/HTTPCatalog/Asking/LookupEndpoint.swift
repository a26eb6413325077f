import Catalog
import HTTPTypes
import Synchronization
import WebAPI
import WireText

/// One request of a lookup, and what its answers mean.
///
/// The meaning of each answer is kept, for the decision about a retry and for the trace.
final class LookupEndpoint: Endpoint {
    struct Reading: Sendable {
        let meaning: AnswerMeaning
        /// What it says about how long it may be kept.
        let directives: CacheDirectives
        /// How long the catalog takes no more requests, if this one was the last it took.
        let pause: Duration?
        /// Whether the catalog did not accept what authenticates us.
        let isRefused: Bool
        fileprivate let steps: [LookupStep]
    }

    private let prepared: Request
    private let reader: AnswerReader
    private let clock: CatalogClock
    private let isTraced: Bool
    private let readings = Mutex<[Reading]>([])

    init(
        _ request: Request, _ reader: AnswerReader, clock: CatalogClock, credentials: Credentials,
        isTraced: Bool
    ) {
        prepared = request
        self.clock = clock
        self.isTraced = isTraced
        var reader = reader
        reader.mask = { Redaction([request], known: credentials.known) }
        self.reader = reader
    }

    var call: Call<Reading> {
        Call(
            prepared, named: reader.name, accepting: .any,
            parser: Parser { (response) throws(TransformError) in try self.model(from: response) })
    }

    var reading: Reading? { readings.withLock(\.last) }

    private func model(from response: Response) throws(TransformError) -> Reading {
        let date = clock.date()
        var reader = reader
        reader.trace = isTraced ? Trace() : nil
        var meaning = reader.meaning(of: response, at: date)
        if meaning == .unchanged, prepared.headers[.ifNoneMatch] == nil {
            meaning = .failed(
                LookupFailure(
                    .unexpectedStatus,
                    "The catalog \(reader.name) answered with status 304 to a question that was no "
                        + "condition."))
        }
        reader.trace.note("means", meaning.words)
        let reading = Reading(
            meaning: meaning, directives: CacheDirectives(response),
            pause: RequestedWait.pause(after: response, reader.rateLimit, date),
            isRefused: response.status == .unauthorized, steps: reader.trace?.steps ?? [])
        readings.withLock { $0.append(reading) }
        guard case .failed(let failure) = meaning else { return reading }
        throw .rejected(failure.reason.description)
    }

    /// The failure that a reason means.
    func failure(_ reason: CallError.Reason) -> LookupFailure {
        if case .noModel = reason, case .failed(let failure) = reading?.meaning { return failure }
        return LookupFailure(reason, name: reader.name, mask: reader.mask())
    }

    /// Adds all that was sent and what it means to a trace; `sent` requests were sent before.
    func add(_ attempts: [Attempt], after sent: Int, to trace: Trace) {
        var readings = readings.withLock { $0 }[...]
        let mask = reader.mask()
        var (number, redirect) = (sent, 0)
        for (index, attempt) in attempts.enumerated() {
            let isRedirect = attempt.cause == .redirect
            (number, redirect) = isRedirect ? (number, redirect + 1) : (number + 1, 0)
            if attempt.cause == .retry { trace.add(.note("wait", attempt.waited.text)) }
            trace.add(
                .exchange(
                    Exchange(
                        attempt.request, attempt.output, took: attempt.took, attempt: number,
                        redirect: redirect, mask)))
            let next = index + 1 < attempts.count ? attempts[index + 1].cause : nil
            guard next != .redirect else { continue }
            if let error = attempt.output.connectionError {
                trace.add(.note("means", failure(.noResponse(error)).words))
            } else {
                for step in readings.popFirst()?.steps ?? [] { trace.add(step) }
            }
        }
    }
}
