import Barcodes
import Catalog
import HTTPTypes
import WebAPI
import WireText

/// What an answer means.
enum AnswerMeaning: Equatable, Sendable {
    /// These products have the code; at least one.
    case found([Product])
    /// The first of two answers, with what the second request needs.
    case captured(FirstAnswer)
    case notFound
    /// What was asked before still holds: status 304.
    case unchanged
    case failed(LookupFailure)

    var words: String {
        switch self {
        case .found(let products) where products.count == 1: "a product"
        case .found(let products): "\(products.count) products, of which the first is taken"
        case .captured: "the second request can be sent"
        case .notFound: "no such product"
        case .unchanged: "what was kept still holds"
        case .failed(let failure): failure.words
        }
    }
}

extension LookupFailure {
    var words: String { "failed (\(code.rawValue)): \(reason)" }
}

/// Reads what an answer of a catalog means.
struct AnswerReader: Sendable {
    /// Which of the requests is answered.
    enum Step: Sendable {
        /// The only request, or the last of two, with the answer to the first.
        case last(first: FirstAnswer?)
        /// The first of two, and what the second needs of it.
        case first([FollowUp.Captured])
    }

    let name: String
    let rules: AnswerRules
    let mapping: ProductMapping
    var rateLimit = RateLimitFields()
    let step: Step
    let codes: CodeComparison
    /// Removes secrets from the catalog's own words, which may repeat the very key it refuses; made
    /// only when there are words.
    var mask: @Sendable () -> Redaction = { .none }
    var trace: Trace?

    /// An answer, its JSON, and when it came, for dates in it.
    private struct Answer {
        let response: Response
        let document: JSONValue?
        let date: HTTPDate
        var status: Int { response.status.code }
    }

    /// Reads an answer that came at a date.
    func meaning(of response: Response, at date: HTTPDate) -> AnswerMeaning {
        if response.status.code == 304 { return .unchanged }
        let document: Result<JSONValue, JSONSyntaxError> = Result {
            () throws(JSONSyntaxError) in try response.jsonContent()
        }
        let answer = Answer(response: response, document: try? document.get(), date: date)
        if let failure = failure(of: answer) { return .failed(failure) }
        if holds(rules.notFound, "not_found", answer) { return .notFound }
        guard response.isSuccess else { return .failed(unexpectedStatus(answer)) }
        switch (document, step) {
        case (.failure(let error), _): return .failed(noJSON(response, error))
        case (.success(let document), .first(let captured)):
            return capture(captured, from: document)
        case (.success(let document), .last(let first)):
            return products(in: document, after: first)
        }
    }

    private func failure(of answer: Answer) -> LookupFailure? {
        let isThrottled = holds(rules.throttled, "throttled", answer)
        if answer.status == 429 || isThrottled {
            return failure(
                .throttled, "takes no more requests for now\(words(of: answer))", answer)
        }
        guard holds(rules.failed, "failed", answer) else { return nil }
        switch answer.status {
        // A refusal and an outage remain what they are, however the catalog reports them: an old
        // answer must not replace a refusal, and an outage is for retries and the breaker.
        case 401, 403, 500...599: return unexpectedStatus(answer)
        default:
            return failure(.reportedError, "answered that it failed\(words(of: answer))", answer)
        }
    }

    private func holds(_ rule: AnswerRule?, _ name: String, _ answer: Answer) -> Bool {
        guard let rule else { return false }
        let holds = rule.holds(status: answer.status, document: answer.document)
        trace.note(
            name,
            "\(holds ? "yes" : "no"): \(rule.text) ("
                + rule.facts(status: answer.status, document: answer.document)
                .joined(separator: ", ") + ")")
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
            retryAfter: RequestedWait.wait(in: answer.response, rateLimit, answer.date))
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

    /// The catalog's own words after a colon; empty if it says nothing.
    private func words(of answer: Answer) -> Phrase {
        let declared = answer.document.flatMap { document in
            rules.messages.lazy.compactMap { document[$0]?.fieldText }.first
        }
        // Masked before it is cut, or a part of a secret could remain.
        return (declared ?? answer.response.serverMessage).map { masked(": \(quoted: $0)") } ?? ""
    }

    /// A text of the answer, or words of ours that quote it, without secrets.
    func masked(_ sentence: Phrase) -> Phrase { mask().applied(to: sentence) }

    /// The failure of an answer that is JSON without a usable product.
    func unusable(_ what: Phrase, _ code: LookupFailure.Code = .unusableProduct) -> AnswerMeaning {
        .failed(LookupFailure(code, "The catalog \(name) answered \(what)."))
    }
}
