import Barcodes
import Catalog
import HTTPTypes
import WebAPI
import WireText

/// The requests for one lookup, one after the other.
struct Inquiry {
    /// What came of a request, or of both of them.
    struct Answered: Sendable {
        /// What it means.
        var meaning: AnswerMeaning
        /// What the answer says about how long it may be kept.
        var directives = CacheDirectives()
        /// What was asked last, all redirects followed: what links in the answer are relative to.
        var location: Location?
    }

    private let line: CatalogLine
    private let barcode: Barcode
    private let deadline: MonotonicTime
    /// Is told of each step; nil where nobody wants to see them.
    private let observe: LookupStep.Observer?
    /// How many requests were sent.
    private(set) var attempts = 0

    init(
        _ line: CatalogLine, barcode: Barcode, deadline: MonotonicTime,
        observe: LookupStep.Observer? = nil
    ) {
        self.line = line
        self.barcode = barcode
        self.deadline = deadline
        self.observe = observe
    }

    /// Asks for a code in one form.
    ///
    /// - Parameters:
    ///   - text: The code.
    ///   - validator: What was kept of the last answer, to ask whether it still holds.
    /// - Returns: What came of it.
    mutating func ask(_ text: String, validator: CachedAnswer.Validator?) async -> Answered {
        let declaration = line.declaration
        let codes = CodeComparison(
            asked: text, barcode: barcode, foldsCase: declaration.codes.foldsCase)
        guard let followUp = declaration.followUp else {
            return await exchange(
                Question(
                    request: declaration.request, rules: declaration.rules,
                    step: .last(first: nil), values: ["code": text], codes: codes,
                    entityTag: validator?.asked == text ? validator?.entityTag : nil))
        }
        let first = await exchange(
            Question(
                request: declaration.request, rules: declaration.rules,
                step: .first(followUp.captured), values: ["code": text], codes: codes))
        guard case .captured(let captured, let document) = first.meaning else { return first }
        let values = captured.merging(["code": text]) { $1 }
        let answer = FirstAnswer(
            document: document, values: captured, captured: followUp.captured)
        return await exchange(
            Question(
                request: followUp.request, rules: followUp.rules,
                step: .last(first: answer), values: values, codes: codes,
                base: first.location))
    }

    /// One request and how its answers are read.
    private struct Question {
        var request: RequestDeclaration
        var rules: AnswerRules
        var step: AnswerReader.Step
        var values: [String: String]
        var codes: CodeComparison
        var entityTag: String?
        /// What a link is relative to.
        var base: Location?
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
    private mutating func exchange(_ question: Question) async -> Answered {
        var plan = RetryPlan(
            attempts: line.declaration.resilience.attempts,
            backoff: line.declaration.resilience.backoff)
        var mayReload = true
        while true {
            let before = attempts
            let sent = await send(question)
            if attempts > before { plan.recordAttempt() }
            guard case .failed(let failure) = sent.answered.meaning else { return sent.answered }
            if sent.isRefused, mayReload {
                mayReload = false
                if await hasOtherCredentials(than: sent.token) { continue }
            }
            let action = plan.action(
                after: RetryPlan.Failure(
                    code: failure.code, retryAfter: failure.retryAfter, isSafe: sent.isSafe),
                left: deadline - line.clock.now(), budgetAllows: line.gate.allowsRetry,
                chance: line.chance())
            guard case .retry(let wait) = action, attempts > before else { return sent.answered }
            observe?(.note("wait", wait.text))
            guard (try? await line.clock.sleep(line.clock.now() + wait)) != nil else {
                return failed(.cancelled, "The lookup was given up.")
            }
        }
    }

    /// Whether other credentials can be had than those that were refused.
    private func hasOtherCredentials(than token: String?) async -> Bool {
        let isChanged = (try? line.credentials.reload()) ?? false
        observe?(
            .note(
                "secrets",
                isChanged ? "read again: they are others now" : "read again: the same"))
        guard let token else { return isChanged }
        await line.tokens.discard(token)
        return true
    }

    private func failed(
        _ code: LookupFailure.Code, _ reason: Phrase, retryAfter: Duration? = nil
    ) -> Answered {
        Answered(meaning: .failed(LookupFailure(code, reason, retryAfter: retryAfter)))
    }
}

extension Inquiry {
    private mutating func send(_ question: Question) async -> Sent {
        var request: Request
        do throws(RequestBuilder.Problem) {
            request = try line.builder.request(
                question.request, question.values, entityTag: question.entityTag,
                base: question.base)
        } catch {
            switch error {
            case .unaskable: return Sent(answered: Answered(meaning: .notFound))
            case .invalid(let reason):
                return Sent(
                    answered: failed(.invalidRequest, "The catalog \(line.name): \(words: reason).")
                )
            case .unusableLink(let reason):
                return Sent(
                    answered: failed(
                        .unusableProduct, "The catalog \(line.name) answered with \(words: reason)."
                    ))
            }
        }
        guard deadline - line.clock.now() >= RetryPlan.shortestAttempt else {
            return Sent(answered: noTime)
        }
        observe?(.note("state", line.gate.words(at: line.clock.now())))
        switch line.gate.admit(at: line.clock.now()) {
        case .refuse(let code, let wait):
            return Sent(answered: refused(code, wait))
        case .go(let isProbe):
            let token: String?
            do throws(LookupFailure) {
                token = try await authenticate(&request)
            } catch {
                let isOurs = error.code == .unreadableSecret || error.code == .invalidRequest
                line.gate.record(
                    SourceGate.Ending(
                        failure: isOurs ? .cancelled : error.code, pause: error.retryAfter),
                    wasProbe: isProbe, at: line.clock.now())
                return Sent(answered: Answered(meaning: .failed(error)))
            }
            var sent = await send(request, question, isProbe: isProbe)
            sent.token = token
            return sent
        }
    }

    private mutating func send(
        _ request: Request, _ question: Question, isProbe: Bool
    ) async -> Sent {
        attempts += 1
        let client = line.client.observed(by: observe) { [line, attempts] observe in
            ExchangeWatch(
                clock: line.clock, attempt: attempts,
                mask: Redaction([request], known: line.credentials.known), observe: observe)
        }
        let start = line.clock.now()
        let limit = min(line.declaration.resilience.attemptTimeout, deadline - start)
        let (output, hops) = await client.attempts(for: request, named: line.name, within: limit)
        let end = line.clock.now()
        var sent: Sent
        var pause: Duration?
        switch output {
        case .response(let response):
            sent = understood(
                response, question, client.refusal(of: response, after: hops),
                { [line] in Redaction([request], known: line.credentials.known) })
            sent.answered.location = (hops.last?.request ?? request).location
            pause = RequestedWait.pause(
                after: response, line.declaration.rateLimit, line.clock.date())
        case .noResponse(let error):
            let failure = LookupFailure(
                error, name: line.name,
                mask: Redaction([request], known: line.credentials.known))
            sent = Sent(
                answered: Answered(meaning: .failed(failure)),
                isSafe: question.request.isRepeatable || !error.serverMayHaveBeenReached)
        }
        var ending = SourceGate.Ending(failure: nil, pause: pause)
        if case .failed(let failure) = sent.answered.meaning {
            ending = SourceGate.Ending(failure: failure.code, pause: failure.retryAfter ?? pause)
        }
        line.gate.record(ending, wasProbe: isProbe, at: end)
        observe?(sent.answered.meaning.step)
        return sent
    }

    private func understood(
        _ response: Response, _ question: Question, _ redirect: RefusedRedirect?,
        _ mask: @escaping @Sendable () -> Redaction
    ) -> Sent {
        let reader = AnswerReader(
            name: line.name, rules: question.rules, mapping: line.declaration.product,
            rateLimit: line.declaration.rateLimit, mask: mask, redirect: redirect)
        let reading = reader.reading(
            of: response, step: question.step, codes: question.codes, at: line.clock.date())
        if let observe { reading.steps.forEach(observe) }
        let meaning = reading.meaning
        if meaning == .unchanged, question.entityTag == nil {
            return Sent(
                answered: failed(
                    .unexpectedStatus,
                    "The catalog \(line.name) answered with status 304 to a question that was no "
                        + "condition."))
        }
        var sent = Sent(
            answered: Answered(meaning: meaning, directives: CacheDirectives(response)))
        if case .failed(let failure) = meaning {
            sent.isSafe = question.request.isRepeatable || failure.code == .throttled
            sent.isRefused = response.status == .unauthorized
        }
        return sent
    }

    /// Puts what authenticates into a request.
    ///
    /// - Returns: The token that was used, where one was.
    private func authenticate(_ request: inout Request) async throws(LookupFailure) -> String? {
        var field: Credentials.Field?
        var token: String?
        do throws(SecretError) {
            field = try line.credentials.field()
        } catch {
            throw LookupFailure(
                .unreadableSecret, "The catalog \(line.name): \(words: error.description)")
        }
        if case .oauth2 = line.declaration.authentication {
            let limit = min(
                line.declaration.resilience.attemptTimeout, deadline - line.clock.now())
            let found = try await line.tokens.token(
                for: line.credentials, within: limit, observe: observe
            ).get()
            field = Credentials.bearer(found)
            token = found
        }
        guard let field else { return nil }
        do throws(HeaderFieldError) {
            try field.add(to: &request)
        } catch {
            throw LookupFailure(
                .invalidRequest, "The catalog \(line.name): \(words: error.description).")
        }
        return token
    }

    private var noTime: Answered {
        failed(.timedOut, "The time was up before the catalog \(line.name) could be asked.")
    }

    private func refused(_ code: LookupFailure.Code, _ wait: Duration) -> Answered {
        let time = Duration.seconds(max(1, Int64(wait.inSeconds.rounded(.up)))).text
        let reason =
            switch code {
            case .throttled: "wants no requests for another \(time)"
            case .quotaUsedUp: "has had as many requests as its quota allows; more in \(time)"
            default: "failed too often and is left alone for another \(time)"
            }
        return failed(code, "The catalog \(line.name) \(reason).", retryAfter: wait)
    }
}
