import Barcodes
import Catalog
import HTTPTypes
import WebAPI
import WireText

/// Says what an answer of a catalog means.
struct AnswerReader {
    /// Which of the requests is answered.
    enum Step {
        /// The only request, or the last of two, with the answer to the first.
        case last(first: FirstAnswer?)
        /// The first of two, and what the second needs of it.
        case first([FollowUp.Captured])
    }

    /// What the catalog is called.
    let name: String
    /// What its answers mean.
    let rules: AnswerRules
    /// How products are read.
    let mapping: ProductMapping
    /// How the time of a retry is told.
    let rateLimit: RateLimitFields
    /// Takes secrets out of the catalog's own words; it may repeat the very key it refuses.
    ///
    /// It is made only where words are told.
    var mask: @Sendable () -> Redaction = { .none }
    /// Why a redirect was not followed, where the answer is one.
    var redirect: RefusedRedirect?

    /// Says what an answer means.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - step: Which request is answered.
    ///   - codes: The code that was asked.
    ///   - date: When it came, for dates in it.
    /// - Returns: What it means, and how that was come to.
    func reading(
        of response: Response, step: Step, codes: CodeComparison, at date: HTTPDate
    ) -> AnswerReading {
        var steps: [LookupStep] = []
        let meaning = meaning(of: response, step, codes, date, &steps)
        return AnswerReading(meaning: meaning, steps: steps)
    }

    private func meaning(
        of response: Response, _ step: Step, _ codes: CodeComparison, _ date: HTTPDate,
        _ steps: inout [LookupStep]
    ) -> AnswerMeaning {
        let status = response.status.code
        if status == 304 { return .unchanged }
        let document: Result<JSONValue, JSONSyntaxError> = Result {
            () throws(JSONSyntaxError) in try response.jsonContent()
        }
        if let failure = failure(of: response, try? document.get(), date, &steps) {
            return .failed(failure)
        }
        if holds(rules.notFound, "not_found", status, try? document.get(), &steps) {
            return .notFound
        }
        guard response.isSuccess else {
            return .failed(unexpectedStatus(response, try? document.get(), date))
        }
        switch document {
        case .failure(let error): return .failed(noJSON(response, error))
        case .success(let answer):
            switch step {
            case .first(let captured): return capture(captured, from: answer, codes, &steps)
            case .last(let first):
                return products(in: answer, after: first, codes, &steps)
            }
        }
    }

    private func failure(
        of response: Response, _ document: JSONValue?, _ date: HTTPDate,
        _ steps: inout [LookupStep]
    ) -> LookupFailure? {
        let status = response.status.code
        let isThrottled = holds(rules.throttled, "throttled", status, document, &steps)
        if status == 429 || isThrottled {
            let words = words(of: response, document)
            return LookupFailure(
                .throttled, "The catalog \(name) takes no more requests for now\(words).",
                retryAfter: RequestedWait.wait(in: response, rateLimit, date))
        }
        guard holds(rules.failed, "failed", status, document, &steps) else { return nil }
        switch status {
        // What refuses us or is out of order is that, in whatever form the catalog reports it: an
        // old answer must not stand in for a refusal, and an outage is for retries and the breaker.
        case 401, 403, 500...599: return unexpectedStatus(response, document, date)
        default: break
        }
        let words = words(of: response, document)
        return LookupFailure(
            .reportedError, "The catalog \(name) answered that it failed\(words).",
            retryAfter: RequestedWait.wait(in: response, rateLimit, date))
    }

    private func holds(
        _ rule: AnswerRule?, _ name: String, _ status: Int, _ document: JSONValue?,
        _ steps: inout [LookupStep]
    ) -> Bool {
        guard let rule else { return false }
        let holds = rule.holds(status: status, document: document)
        steps.append(.rule(name, rule, status: status, document, holds: holds))
        return holds
    }

    private func unexpectedStatus(
        _ response: Response, _ document: JSONValue?, _ date: HTTPDate
    ) -> LookupFailure {
        let status = response.status.code
        let words =
            redirect.map { masked(" and \(words: $0.description)") }
            ?? words(of: response, document)
        let code: LookupFailure.Code =
            switch status {
            case 401, 403: .unauthorized
            case 500...599: .serverError
            default: .unexpectedStatus
            }
        return LookupFailure(
            code, "The catalog \(name) answered with status \(status)\(words).",
            retryAfter: RequestedWait.wait(in: response, rateLimit, date))
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

    /// The catalog's own words, with a colon ahead of them; nothing where it says nothing.
    private func words(of response: Response, _ document: JSONValue?) -> Phrase {
        let declared = document.flatMap { document in
            rules.messages.lazy.compactMap { document[$0]?.fieldText }.first
        }
        // Before it is cut: a part of a secret could stay.
        return (declared ?? response.serverMessage).map { masked(": \(quoted: $0)") } ?? ""
    }
}

extension AnswerReader {
    private func products(
        in answer: JSONValue, after first: FirstAnswer?, _ codes: CodeComparison,
        _ steps: inout [LookupStep]
    ) -> AnswerMeaning {
        let reader = ProductReader(
            mapping: mapping, documents: Documents(first: first?.document, answer: answer))
        do throws(MappingError) {
            let (items, other) = repeating(
                try reader.items(&steps), first, reader, &steps)
            if let other, items.isEmpty { return .failed(otherAnswer(other)) }
            var matching = items.filter { number, item in
                reader.isVerified(item, number: number, against: codes, &steps)
            }
            if matching.isEmpty {
                // As in the embedded catalog: in other letters if one product alone has it.
                var folded: [LookupStep] = []
                let others = items.filter { number, item in
                    reader.isVerified(item, number: number, against: codes.foldingCase, &folded)
                }
                if others.count == 1 { (matching, steps) = (others, steps + folded) }
            }
            guard !matching.isEmpty else {
                return otherProducts(items.map(\.element), codes, reader)
            }
            var products: [Product] = []
            // The first is the product; what the others are read from would only confuse.
            var others: [LookupStep] = []
            for (_, item) in matching.prefix(Match.candidateLimit) {
                products.append(
                    products.isEmpty
                        ? try reader.product(item, &steps) : try reader.product(item, &others))
            }
            return .found(products)
        } catch {
            let reason = masked("\(words: error.description)")
            return .failed(LookupFailure(.unusableProduct, "The catalog \(name): \(reason)"))
        }
    }

    /// A text of the answer, or words of ours that quote it, without secrets.
    func masked(_ sentence: Phrase) -> Phrase { mask().applied(to: sentence) }

    private func otherProducts(
        _ items: [JSONValue], _ codes: CodeComparison, _ reader: ProductReader
    ) -> AnswerMeaning {
        if mapping.verify?.otherwise == .notFound { return .notFound }
        guard let item = items.first else {
            return .failed(
                LookupFailure(
                    .unusableProduct,
                    "The catalog \(name) answered with an empty list of products, and no rule "
                        + "says that it means \"no such product\"."))
        }
        // The code that was asked may stand at another place, and says nothing here.
        let found = reader.codes(of: item).filter { !codes.matches($0) }.prefix(3)
            .map { "\(quoted: $0)" as Phrase }.joined(separator: ", ")
        let others: Phrase = found.isEmpty ? "without a code" : "with the code \(found)"
        return .failed(
            LookupFailure(
                .otherProduct,
                "The catalog \(name) answered with a product \(masked(others)); "
                    + "expected \(quoted: codes.asked)."))
    }
}
