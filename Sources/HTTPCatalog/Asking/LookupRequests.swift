import Catalog
import HTTPTypes
import WebAPI
import WireText

/// What all requests to one catalog share.
struct RequestContext: Sendable {
    let declaration: HTTPCatalogDeclaration
    let builder: RequestBuilder
    /// It sends a request once; a lookup has a policy for retries of its own.
    let client: APIClient
    let clock: CatalogClock
    let chance: @Sendable () -> Double
    let credentials: Credentials
    let tokens: TokenCache
    let gate: SourceGate

    var name: String { declaration.name }
}

/// The requests for one lookup, one after the other.
struct LookupRequests {
    /// What came of a request, or of both of them.
    struct Answered: Sendable {
        var meaning: AnswerMeaning
        var directives = CacheDirectives()
        /// Whose answer it is; nil if nothing was sent.
        var owner: String?
        /// What was asked last, all redirects followed: what links in the answer are relative to.
        fileprivate var location: Location?
        /// What the catalog did not accept.
        fileprivate var refused: Used?

        fileprivate static func failed(_ failure: LookupFailure) -> Answered {
            Answered(meaning: .failed(failure))
        }
    }

    /// What authenticates a request: the secrets, and the token that was got with them.
    fileprivate typealias Used = (secrets: Credentials.Current, token: String?)

    private struct Ask {
        var request: RequestDeclaration
        var rules: AnswerRules
        var step: AnswerReader.Step
        var values: [String: String]
        let codes: CodeComparison
        /// The answer to confirm, and whose it is.
        var kept: (owner: String, entityTag: String)?
        var base: Location?
    }

    private let context: RequestContext
    private let deadline: MonotonicTime
    private let trace: Trace?
    private(set) var attempts = 0

    init(_ context: RequestContext, deadline: MonotonicTime, trace: Trace?) {
        self.context = context
        self.deadline = deadline
        self.trace = trace
    }

    /// Asks for a code in one form, or whether what is kept still holds.
    mutating func ask(
        _ question: CodeRules.Question, kept: (owner: String, answer: CachedAnswer)?
    ) async -> Answered {
        let declaration = context.declaration
        var ask = Ask(
            request: declaration.request, rules: declaration.rules, step: .last(first: nil),
            values: ["code": question.text],
            codes: CodeComparison(
                asked: question.text, gtin: question.key.gtin,
                foldsCase: declaration.codes.foldsCase))
        guard let followUp = declaration.followUp else {
            if let kept, kept.answer.asked == question.text {
                ask.kept = kept.answer.directives.entityTag.map { (kept.owner, $0) }
            }
            return await answer(to: ask)
        }
        ask.step = .first(followUp.captured)
        let first = await answer(to: ask)
        guard case .captured(let answered) = first.meaning else { return first }
        (ask.request, ask.rules, ask.base) = (followUp.request, followUp.rules, first.location)
        ask.step = .last(first: answered)
        ask.values = answered.values.merging(ask.values) { $1 }
        return await answer(to: ask)
    }

    /// Sends a request, and once more with other credentials if the catalog refuses those it got.
    private mutating func answer(to ask: Ask) async -> Answered {
        let first = await send(ask)
        guard let refused = first.refused else { return first }
        let isChanged = (try? context.credentials.reload()).map { $0 != refused.secrets } ?? false
        trace.note("secrets", "read again: \(isChanged ? "they are others now" : "the same")")
        if let token = refused.token { context.tokens.discard(token) }
        return isChanged || refused.token != nil ? await send(ask) : first
    }

    /// Sends a request if the catalog's rules let it go, and again if that helps and does no harm.
    private mutating func send(_ ask: Ask) async -> Answered {
        var request: Request
        do throws(RequestBuilder.Problem) {
            request = try context.builder.request(ask.request, ask.values, base: ask.base)
        } catch {
            return context.unsendable(error)
        }
        guard left >= RetryPolicy.shortestAttempt else {
            return .failed(LookupFailure(CallError.Reason.noTime, name: context.name, mask: .none))
        }
        trace.note("state", context.gate.words(at: context.clock.now()))
        let state = context.gate.admit(at: context.clock.now())
        if case .refusing(let code, let wait) = state {
            return .failed(context.refusal(code, wait))
        }
        let isProbe = state == .probing
        do throws(LookupFailure) {
            let used = try await authenticate(&request)
            if let kept = ask.kept, kept.owner == used.secrets.owner {
                request.headers[.ifNoneMatch] = kept.entityTag
            }
            return await call(request, ask, used, isProbe: isProbe)
        } catch {
            let isOurs = [.unreadableSecret, .invalidRequest].contains(error.code)
            context.gate.record(
                .init(failure: isOurs ? .cancelled : error.code, pause: error.retryAfter),
                wasProbe: isProbe, at: context.clock.now())
            return .failed(error)
        }
    }

    private var left: Duration { deadline - context.clock.now() }

    private mutating func call(
        _ request: Request, _ ask: Ask, _ used: Used, isProbe: Bool
    ) async -> Answered {
        let endpoint = LookupEndpoint(
            request,
            AnswerReader(
                name: context.name, rules: ask.rules, mapping: context.declaration.product,
                rateLimit: context.declaration.rateLimit, step: ask.step, codes: ask.codes),
            clock: context.clock, credentials: context.credentials, isTraced: trace != nil)
        var client = context.client
        client.attemptLimit = context.declaration.resilience.attemptTimeout
        client.retries = context.retries(of: endpoint, ask.request, wasProbe: isProbe)
        let outcome = await client.call(endpoint, within: left)
        if let trace { endpoint.add(outcome.attempts, after: attempts, to: trace) }
        attempts += outcome.attempts.count { $0.cause != .redirect }
        var answered: Answered
        var ending = SourceGate.Ending()
        switch outcome.result {
        case .success(let reading):
            answered = Answered(meaning: reading.meaning, directives: reading.directives)
            ending.pause = reading.pause
        case .failure(let error):
            answered = .failed(endpoint.failure(error.reason))
            ending.failure = .cancelled
            if case .noModel = error.reason, endpoint.reading?.isRefused == true {
                answered.refused = used
            }
        }
        // The policy has recorded every failure.
        if ending.failure == nil || [.cancelled, .noTime].contains(outcome.result.failure?.reason) {
            context.gate.record(
                ending, wasProbe: isProbe && outcome.attempts.count < 2, at: context.clock.now())
        }
        answered.owner = used.secrets.owner
        answered.location = outcome.attempts.last?.request.location
        return answered
    }

    private func authenticate(_ request: inout Request) async throws(LookupFailure) -> Used {
        let current: Credentials.Current
        do throws(SecretError) {
            current = try context.credentials.current()
        } catch {
            throw LookupFailure(
                .unreadableSecret, "The catalog \(context.name): \(words: error.description)")
        }
        var used: Used = (current, nil)
        var field = current.field
        if case .oauth2(let client) = context.declaration.authentication {
            let token = try await context.tokens.token(
                of: client, context.credentials, current, until: deadline, trace: trace)
            (field, used.token) = (.bearer(token), token)
        }
        do throws(HeaderFieldError) {
            try field?.add(to: &request)
        } catch {
            throw LookupFailure(
                .invalidRequest, "The catalog \(context.name): \(words: error.description).")
        }
        return used
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}

extension RequestContext {
    fileprivate func unsendable(_ problem: RequestBuilder.Problem) -> LookupRequests.Answered {
        switch problem {
        case .unaskable: .init(meaning: .notFound)
        case .invalid(let reason):
            .failed(LookupFailure(.invalidRequest, "The catalog \(name): \(words: reason)."))
        case .unusableLink(let reason):
            .failed(
                LookupFailure(
                    .unusableProduct, "The catalog \(name) answered with \(words: reason)."))
        }
    }

    fileprivate func refusal(_ code: LookupFailure.Code, _ wait: Duration) -> LookupFailure {
        let time = Duration.seconds(max(1, Int64((wait / .seconds(1)).rounded(.up)))).text
        let reason =
            switch code {
            case .throttled: "wants no requests for another \(time)"
            case .quotaUsedUp: "has had as many requests as its quota allows; more in \(time)"
            default: "failed too often and is left alone for another \(time)"
            }
        return LookupFailure(code, "The catalog \(name) \(reason).", retryAfter: wait)
    }
}
