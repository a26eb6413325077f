import Catalog
import HTTPTypes
import WebAPI
import WireText

struct LookupRequests {
    /// The result of a request, or of a request and its follow-up.
    struct Answered: Sendable {
        var meaning: AnswerMeaning
        var directives = CacheDirectives()
        /// The owner under which the answer is cached (see ``AnswerKey``); nil if no request was sent.
        var owner: String?
        /// The address after all redirects; links in the answer are relative to it.
        fileprivate var location: Location?
        fileprivate var refused: Used?
    }

    /// The secrets used for a request, and the OAuth 2 token that was fetched with them, if any.
    fileprivate typealias Used = (secrets: Credentials.Current, token: String?)

    private struct Ask {
        var request: RequestDeclaration
        var reader: AnswerReader
        var values: [String: String]
        /// The entity tag of a cached answer to revalidate, and its ``AnswerKey/owner``; nil to ask unconditionally.
        var kept: (owner: String, entityTag: String)?
        var base: Location?
    }

    private let catalog: DeclaredCatalog
    private let deadline: MonotonicTime
    private let trace: Trace?
    private(set) var attempts = 0

    init(_ catalog: DeclaredCatalog, deadline: MonotonicTime, trace: Trace?) {
        (self.catalog, self.deadline, self.trace) = (catalog, deadline, trace)
    }

    /// Looks up one text; `kept` is a cached answer that may be revalidated.
    mutating func ask(
        _ question: CodeRules.Question, kept: (owner: String, answer: CachedAnswer)?
    ) async -> Answered {
        let declaration = catalog.declaration
        let codes = CodeComparison(
            asked: question.text, gtin: question.key.gtin, foldsCase: declaration.codes.foldsCase)
        var ask = Ask(
            request: declaration.request, reader: AnswerReader(declaration, codes),
            values: ["code": question.text])
        guard let followUp = declaration.followUp else {
            if let kept, kept.answer.asked == question.text {
                ask.kept = kept.answer.directives.entityTag.map { (kept.owner, $0) }
            }
            return await answer(to: ask)
        }
        ask.reader.captured = followUp.captured
        let first = await answer(to: ask)
        guard case .captured(let answered) = first.meaning else { return first }
        (ask.request, ask.base) = (followUp.request, first.location)
        (ask.reader.rules, ask.reader.captured) = (followUp.rules, nil)
        ask.reader.first = answered
        ask.values = answered.values.merging(ask.values) { $1 }
        return await answer(to: ask)
    }

    /// Sends a request; may retry with new credentials if the catalog rejects the old ones.
    private mutating func answer(to ask: Ask) async -> Answered {
        let first = await send(ask)
        guard let refused = first.refused else { return first }
        let isChanged = (try? catalog.credentials.reload()).map { $0 != refused.secrets } ?? false
        trace.note("secrets", "read again: \(isChanged ? "they are others now" : "the same")")
        if let token = refused.token { catalog.tokens.discard(token) }
        return isChanged || refused.token != nil ? await send(ask) : first
    }

    /// Sends a request if ``SourceGate`` admits it, and retries if that is useful and harmless.
    private mutating func send(_ ask: Ask) async -> Answered {
        do throws(LookupFailure) {
            guard var request = try catalog.builder.request(ask.request, ask.values, base: ask.base)
            else { return Answered(meaning: .notFound) }
            guard left >= RetryPolicy.shortestAttempt else {
                throw LookupFailure(CallError.Reason.noTime, name: catalog.name, mask: .none)
            }
            let isProbe = try admit()
            let used = try await authenticate(&request, isProbe: isProbe)
            if let kept = ask.kept, kept.owner == used.secrets.owner {
                request.headers[.ifNoneMatch] = kept.entityTag
            }
            return await call(request, ask, used, isProbe: isProbe)
        } catch {
            return Answered(meaning: .failed(error))
        }
    }

    private var left: Duration { deadline - catalog.clock.now() }

    /// Returns whether the next request is the breaker's probe; throws if no request may be sent now.
    private func admit() throws(LookupFailure) -> Bool {
        let now = catalog.clock.now()
        trace.note("state", catalog.gate.words(at: now))
        let state = catalog.gate.admit(at: now)
        guard case .refusing(let code, let wait) = state else { return state == .probing }
        let time = Duration.seconds(max(1, Int64((wait / .seconds(1)).rounded(.up)))).text
        let reason =
            switch code {
            case .throttled: "wants no requests for another \(time)"
            case .quotaUsedUp: "has had as many requests as its quota allows; more in \(time)"
            default: "failed too often and is left alone for another \(time)"
            }
        throw LookupFailure(code, "The catalog \(catalog.name) \(reason).", retryAfter: wait)
    }

    private mutating func call(
        _ request: Request, _ ask: Ask, _ used: Used, isProbe: Bool
    ) async -> Answered {
        let endpoint = LookupEndpoint(request, ask.reader, of: catalog, isTraced: trace != nil)
        var client = catalog.client
        client.retries = catalog.retries(of: endpoint, ask.request, wasProbe: isProbe)
        let outcome = await client.call(endpoint, within: left)
        if let trace { endpoint.add(outcome.attempts, after: attempts, to: trace) }
        attempts += outcome.attempts.count { $0.cause != .redirect }
        let last = outcome.attempts.last
        let response = last?.output.response
        var answered = Answered(
            meaning: .notFound, directives: response.map(CacheDirectives.init) ?? .init(),
            owner: used.secrets.owner, location: last?.request.location)
        var ending: SourceGate.Ending?
        switch outcome.result {
        case .success(let meaning):
            answered.meaning = meaning
            ending = .init(pause: response.flatMap(catalog.pause))
        case .failure(let error):
            answered.meaning = .failed(endpoint.failure(error.reason))
            // The retry policy has recorded all other failures.
            if [.cancelled, .noTime].contains(error.reason) { ending = .init(failure: .cancelled) }
            if case .noModel = error.reason, response?.status == .unauthorized {
                answered.refused = used
            }
        }
        if let ending {
            catalog.gate.record(
                ending, wasProbe: isProbe && outcome.attempts.count < 2, at: catalog.clock.now())
        }
        return answered
    }

    private func authenticate(
        _ request: inout Request, isProbe: Bool
    ) async throws(LookupFailure) -> Used {
        do {
            let current = try catalog.credentials.current()
            var token: String?
            if case .oauth2(let client) = catalog.declaration.authentication {
                token = try await catalog.tokens.token(
                    of: client, catalog.credentials, current, until: deadline, trace: trace)
            }
            try catalog.credentials.add(current, token: token, to: &request)
            return (current, token)
        } catch {
            let failure = failure(of: error)
            let isOurs = [.unreadableSecret, .invalidRequest].contains(failure.code)
            catalog.gate.record(
                .init(failure: isOurs ? .cancelled : failure.code, pause: failure.retryAfter),
                wasProbe: isProbe, at: catalog.clock.now())
            throw failure
        }
    }

    private func failure(of error: any Error) -> LookupFailure {
        switch error {
        case let error as LookupFailure: error
        case let error as SecretError:
            LookupFailure(.unreadableSecret, "The catalog \(catalog.name): \(words: "\(error)")")
        default:
            LookupFailure(.invalidRequest, "The catalog \(catalog.name): \(words: "\(error)").")
        }
    }
}
