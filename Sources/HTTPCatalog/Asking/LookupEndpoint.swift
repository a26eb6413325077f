import Catalog
import HTTPTypes
import Synchronization
import WebAPI
import WireText

/// The endpoint for a lookup's request, which records the meaning of each answer.
final class LookupEndpoint: Endpoint {
    private let request: Request
    private let reader: AnswerReader
    private let date: @Sendable () -> HTTPDate
    private let isTraced: Bool
    private let readings = Mutex<[(meaning: AnswerMeaning, steps: [LookupStep])]>([])

    init(_ request: Request, _ reader: AnswerReader, of catalog: DeclaredCatalog, isTraced: Bool) {
        self.request = request
        date = catalog.clock.date
        self.isTraced = isTraced
        var reader = reader
        reader.mask = { [credentials = catalog.credentials] in
            Redaction([request], known: credentials.known)
        }
        self.reader = reader
    }

    var call: Call<AnswerMeaning> {
        Call(
            request, named: reader.name, accepting: .any,
            parser: Parser { (response) throws(TransformError) in
                try self.meaning(of: response)
            })
    }

    private func meaning(of response: Response) throws(TransformError) -> AnswerMeaning {
        var reader = reader
        reader.trace = isTraced ? Trace() : nil
        let isCondition = request.headers[.ifNoneMatch] != nil
        let meaning = reader.meaning(of: response, at: date(), isCondition: isCondition)
        reader.trace.note("means", meaning.words)
        readings.withLock { $0.append((meaning, reader.trace?.steps ?? [])) }
        guard case .failed(let failure) = meaning else { return meaning }
        throw .rejected(failure.reason.description)
    }

    func failure(_ reason: CallError.Reason) -> LookupFailure {
        if case .noModel = reason, case .failed(let failure) = readings.withLock(\.last)?.meaning {
            return failure
        }
        return LookupFailure(reason, name: reader.name, mask: reader.mask())
    }

    /// Adds attempts and the meanings of their answers to `trace`, numbered from `sent` + 1.
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
                        request: attempt.request, output: attempt.output, took: attempt.took,
                        attempt: number, redirect: redirect, mask: mask)))
            if index + 1 < attempts.count, attempts[index + 1].cause == .redirect { continue }
            if let error = attempt.output.connectionError {
                trace.add(.note("means", failure(.noResponse(error)).words))
            } else {
                for step in readings.popFirst()?.steps ?? [] { trace.add(step) }
            }
        }
    }
}
