import Catalog
import HTTPTypes
import WebAPI
import WireText

/// The requests for one lookup, one after the other.
struct LookupRequests {
    /// What came of a request, or of both of them.
    struct Answered: Sendable {
        /// What it means.
        var meaning: AnswerMeaning
        /// What the answer says about how long it may be kept.
        var directives = CacheDirectives()
        /// What was asked last, all redirects followed: what links in the answer are relative to.
        var location: Location?
    }

    private let context: RequestContext
    private let deadline: MonotonicTime
    /// Is told of each step; nil where nobody wants to see them.
    private let observe: LookupStep.Observer?
    /// How many requests were sent.
    private(set) var attempts = 0

    init(
        _ context: RequestContext, deadline: MonotonicTime,
        observe: LookupStep.Observer? = nil
    ) {
        self.context = context
        self.deadline = deadline
        self.observe = observe
    }

    /// Asks for a code in one form.
    ///
    /// - Parameters:
    ///   - question: The code.
    ///   - validator: What was kept of the last answer, to ask whether it still holds.
    /// - Returns: What came of it.
    mutating func ask(
        _ question: CodeRules.Question, validator: CachedAnswer.Validator?
    ) async -> Answered {
        let declaration = context.declaration
        let text = question.text
        let codes = CodeComparison(
            asked: text, gtin: question.key.gtin, foldsCase: declaration.codes.foldsCase)
        guard let followUp = declaration.followUp else {
            return await answer(
                to: LookupEndpoint.Question(
                    request: declaration.request, rules: declaration.rules,
                    step: .last(first: nil), values: ["code": text], codes: codes,
                    entityTag: validator?.asked == text ? validator?.entityTag : nil))
        }
        let first = await answer(
            to: LookupEndpoint.Question(
                request: declaration.request, rules: declaration.rules,
                step: .first(followUp.captured), values: ["code": text], codes: codes))
        guard case .captured(let captured, let document) = first.meaning else { return first }
        let values = captured.merging(["code": text]) { $1 }
        let firstAnswer = FirstAnswer(
            document: document, values: captured, captured: followUp.captured)
        return await answer(
            to: LookupEndpoint.Question(
                request: followUp.request, rules: followUp.rules,
                step: .last(first: firstAnswer), values: values, codes: codes,
                base: first.location))
    }

    /// What came of sending a request once.
    private struct Sent {
        var answered: Answered
        /// Whether it can be sent again without harm.
        var isSafe = true
        /// Whether the catalog did not accept what authenticates us, and which token that was.
        var isRefused = false
        var token: String?
    }

    /// Sends a request, and again where that helps and does no harm.
    private mutating func answer(
        to question: LookupEndpoint.Question
    ) async -> Answered {
        var plan = RetryPlan(
            attempts: context.declaration.resilience.attempts,
            backoff: context.declaration.resilience.backoff)
        var mayReload = true
        while true {
            let before = attempts
            let sent = await attempt(question)
            if attempts > before { plan.recordAttempt() }
            guard case .failed(let failure) = sent.answered.meaning else { return sent.answered }
            if sent.isRefused, mayReload {
                mayReload = false
                if await hasOtherCredentials(than: sent.token) { continue }
            }
            let action = plan.action(
                after: RetryPlan.Failure(
                    code: failure.code, retryAfter: failure.retryAfter, isSafe: sent.isSafe),
                left: left, budgetAllows: context.gate.allowsRetry,
                chance: context.chance())
            guard case .retry(let wait) = action, attempts > before else { return sent.answered }
            observe?(.note("wait", wait.text))
            guard (try? await context.clock.sleep(context.clock.now() + wait)) != nil else {
                return failed(.cancelled, "The lookup was given up.")
            }
        }
    }

    /// Whether other credentials can be had than those that were refused.
    private func hasOtherCredentials(than token: String?) async -> Bool {
        let isChanged = (try? context.credentials.reload()) ?? false
        observe?(
            .note(
                "secrets",
                isChanged ? "read again: they are others now" : "read again: the same"))
        guard let token else { return isChanged }
        await context.tokens.discard(token)
        return true
    }

    private func failed(
        _ code: LookupFailure.Code, _ reason: Phrase, retryAfter: Duration? = nil
    ) -> Answered {
        Answered(meaning: .failed(LookupFailure(code, reason, retryAfter: retryAfter)))
    }
}

extension LookupRequests {
    /// Sends a request once, where there is time for it and the catalog's rules let it go.
    private mutating func attempt(_ question: LookupEndpoint.Question) async -> Sent {
        var endpoint: LookupEndpoint
        do throws(RequestBuilder.Problem) {
            endpoint = try LookupEndpoint(question, context)
        } catch {
            return Sent(answered: unsendable(error))
        }
        guard left >= RetryPlan.shortestAttempt else { return Sent(answered: noTime) }
        observe?(.note("state", context.gate.words(at: context.clock.now())))
        switch context.gate.admit(at: context.clock.now()) {
        case .refuse(let code, let wait): return Sent(answered: refused(code, wait))
        case .go(let isProbe):
            let token: String?
            do throws(LookupFailure) {
                token = try await authenticate(&endpoint)
            } catch {
                let isOurs = error.code == .unreadableSecret || error.code == .invalidRequest
                context.gate.record(
                    SourceGate.Ending(
                        failure: isOurs ? .cancelled : error.code, pause: error.retryAfter),
                    wasProbe: isProbe, at: context.clock.now())
                return Sent(answered: Answered(meaning: .failed(error)))
            }
            attempts += 1
            var (sent, pause) = await call(endpoint, isRepeatable: question.request.isRepeatable)
            sent.token = token
            var ending = SourceGate.Ending(failure: nil, pause: pause)
            if case .failed(let failure) = sent.answered.meaning {
                ending = SourceGate.Ending(
                    failure: failure.code, pause: failure.retryAfter ?? pause)
            }
            context.gate.record(ending, wasProbe: isProbe, at: context.clock.now())
            observe?(sent.answered.meaning.step)
            return sent
        }
    }

    /// Calls an endpoint, and says how long the catalog wants no more requests.
    private func call(
        _ endpoint: LookupEndpoint, isRepeatable: Bool
    ) async -> (sent: Sent, pause: Duration?) {
        let outcome = await context.client.call(endpoint, within: limit)
        if let observe {
            for exchange in Exchange.all(of: outcome.attempts, number: attempts, endpoint.mask) {
                observe(.exchange(exchange))
            }
        }
        switch outcome.result {
        case .success(let model):
            if let observe { model.reading.steps.forEach(observe) }
            var sent = Sent(
                answered: Answered(
                    meaning: model.reading.meaning, directives: model.directives,
                    location: outcome.attempts.last?.request.location))
            if case .failed(let failure) = model.reading.meaning {
                sent.isSafe = isRepeatable || failure.code == .throttled
                sent.isRefused = model.isRefused
            }
            return (sent, model.pause)
        case .failure(let error):
            let failure = LookupFailure(error, name: context.name, mask: endpoint.mask)
            let isUnseen = error.connectionError?.serverMayHaveBeenReached == false
            return (
                Sent(
                    answered: Answered(meaning: .failed(failure)), isSafe: isRepeatable || isUnseen),
                nil
            )
        }
    }

    /// Puts what authenticates into a request.
    ///
    /// - Returns: The token that was used, where one was.
    private func authenticate(
        _ endpoint: inout LookupEndpoint
    ) async throws(LookupFailure) -> String? {
        var field: Credentials.Field?
        var token: String?
        do throws(SecretError) {
            field = try context.credentials.field()
        } catch {
            throw LookupFailure(
                .unreadableSecret, "The catalog \(context.name): \(words: error.description)")
        }
        if case .oauth2 = context.declaration.authentication {
            let found = try await context.tokens.token(
                for: context.credentials, within: limit, observe: observe
            ).get()
            field = Credentials.bearer(found)
            token = found
        }
        guard let field else { return nil }
        do throws(HeaderFieldError) {
            try endpoint.authenticate(by: field)
        } catch {
            throw LookupFailure(
                .invalidRequest, "The catalog \(context.name): \(words: error.description).")
        }
        return token
    }

    /// The time that is left for the lookup.
    private var left: Duration { deadline - context.clock.now() }

    /// The time for one request.
    private var limit: Duration { min(context.declaration.resilience.attemptTimeout, left) }

    private func unsendable(_ problem: RequestBuilder.Problem) -> Answered {
        switch problem {
        case .unaskable: Answered(meaning: .notFound)
        case .invalid(let reason):
            failed(.invalidRequest, "The catalog \(context.name): \(words: reason).")
        case .unusableLink(let reason):
            failed(.unusableProduct, "The catalog \(context.name) answered with \(words: reason).")
        }
    }

    private var noTime: Answered {
        failed(.timedOut, "The time was up before the catalog \(context.name) could be asked.")
    }

    private func refused(_ code: LookupFailure.Code, _ wait: Duration) -> Answered {
        let time = Duration.seconds(max(1, Int64(wait.inSeconds.rounded(.up)))).text
        let reason =
            switch code {
            case .throttled: "wants no requests for another \(time)"
            case .quotaUsedUp: "has had as many requests as its quota allows; more in \(time)"
            default: "failed too often and is left alone for another \(time)"
            }
        return failed(code, "The catalog \(context.name) \(reason).", retryAfter: wait)
    }
}
