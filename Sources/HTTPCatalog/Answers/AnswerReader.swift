import Barcodes
import Catalog
import HTTPTypes
import WebAPI
import WireText

enum AnswerMeaning: Equatable, Sendable {
    /// The products with the requested code; never empty.
    case found([Product])
    /// The first of two answers, which contains the values for the second request.
    case captured(FirstAnswer)
    case notFound
    /// The cached answer is still valid (status 304).
    case unchanged
    case failed(LookupFailure)

    var words: String {
        switch self {
        case .found(let products) where products.count == 1: "a product"
        case .found(let products): "\(products.count) products, of which the first is used"
        case .captured: "the second request can be sent"
        case .notFound: "no such product"
        case .unchanged: "what was kept still holds"
        case .failed(let failure): failure.words
        }
    }
}

struct AnswerReader: Sendable {
    let name: String
    let mapping: ProductMapping
    let codes: CodeComparison
    var rules: AnswerRules
    /// The values to read for the second request; nil if no second request follows.
    var captured: [FollowUp.Captured]?
    /// The answer to the first of two requests while the reader reads the second answer; otherwise nil.
    var first: FirstAnswer?
    /// A closure that returns the redaction for the catalog's error messages.
    var mask: @Sendable () -> Redaction = { .none }
    var trace: Trace?
    private let rateLimit: RateLimitFields

    init(_ declaration: HTTPCatalogDeclaration, _ codes: CodeComparison) {
        (name, rules) = (declaration.name, declaration.rules)
        (mapping, rateLimit) = (declaration.product, declaration.rateLimit)
        self.codes = codes
    }

    private struct Answer {
        let response: Response
        let document: JSONValue?
        let date: HTTPDate
        var status: Int { response.status.code }
    }

    /// Returns the meaning of an answer; status 304 is valid only if `isCondition` is true.
    func meaning(of response: Response, at date: HTTPDate, isCondition: Bool) -> AnswerMeaning {
        if response.status == .notModified {
            return isCondition
                ? .unchanged
                : .failed(
                    LookupFailure(
                        .unexpectedStatus,
                        "The catalog \(name) answered 304 to an unconditional request."))
        }
        let document = Result { () throws(JSONSyntaxError) in try response.jsonContent() }
        let answer = Answer(response: response, document: try? document.get(), date: date)
        if let failure = failure(of: answer) { return .failed(failure) }
        if holds(rules.notFound, "not_found", answer) { return .notFound }
        guard response.isSuccess else { return .failed(unexpectedStatus(answer)) }
        switch document {
        case .failure(let error): return .failed(noJSON(response, error))
        case .success(let document):
            return captured.map { capture($0, from: document) } ?? products(in: document)
        }
    }

    private func failure(of answer: Answer) -> LookupFailure? {
        let isThrottled = holds(rules.throttled, "throttled", answer)
        if answer.status == 429 || isThrottled {
            return failure(.throttled, "takes no more requests for now\(words(of: answer))", answer)
        }
        guard holds(rules.failed, "failed", answer) else { return nil }
        switch answer.status {
        // These statuses keep their meaning even if the rule matches: a refusal must not be replaced by an old answer,
        // and an outage is handled by retries and the breaker.
        case 401, 403, 500...599: return unexpectedStatus(answer)
        default:
            return failure(.reportedError, "answered that it failed\(words(of: answer))", answer)
        }
    }

    private func holds(_ rule: AnswerRule?, _ name: String, _ answer: Answer) -> Bool {
        guard let rule else { return false }
        let holds = rule.holds(status: answer.status, document: answer.document)
        let facts = { rule.facts(status: answer.status, document: answer.document) }
        trace.note(
            name,
            "\(holds ? "yes" : "no"): \(rule.text) (\(facts().joined(separator: ", ")))")
        return holds
    }

    private func unexpectedStatus(_ answer: Answer) -> LookupFailure {
        let words =
            answer.response.refusedRedirect.map { masked(" and \(words: $0.description)") }
            ?? words(of: answer)
        let code: LookupFailure.Code =
            switch answer.status {
            case 401, 403: .unauthorized
            case 500...599: .serverError
            default: .unexpectedStatus
            }
        return failure(code, "answered with status \(answer.status)\(words)", answer)
    }

    private func failure(
        _ code: LookupFailure.Code, _ what: Phrase, _ answer: Answer
    ) -> LookupFailure {
        LookupFailure(
            code, "The catalog \(name) \(what).",
            retryAfter: rateLimit.wait(in: answer.response, answer.date))
    }

    private func noJSON(_ response: Response, _ error: JSONSyntaxError) -> LookupFailure {
        let type: Phrase = response.mediaType.map { " of type \(quoted: $0)" } ?? ""
        return LookupFailure(
            .unreadableAnswer,
            "The catalog \(name) answered with status \(response.status.code) and "
                + masked(
                    "\(response.payload.count.counted("byte"))\(type), not the JSON expected: "
                        + "\(words: error.description)."))
    }

    /// Returns the catalog's own message, such as `: "invalid key"`; empty if the answer has no message.
    private func words(of answer: Answer) -> Phrase {
        let declared = answer.document.flatMap { document in
            rules.messages.lazy.compactMap { document[$0]?.fieldText }.first
        }
        // Mask before shortening; otherwise part of a secret could remain.
        return (declared ?? answer.response.serverMessage).map { masked(": \(quoted: $0)") } ?? ""
    }

    func masked(_ sentence: Phrase) -> Phrase { mask().applied(to: sentence) }

    func unusable(_ what: Phrase, _ code: LookupFailure.Code = .unusableProduct) -> AnswerMeaning {
        .failed(LookupFailure(code, "The catalog \(name) answered \(what)."))
    }
}
