import Barcodes
import HTTPTypes
import WebAPI
import WireText

/// Says what an answer of a catalog means.
struct AnswerReader {
    /// Which of the requests is answered.
    enum Step {
        /// The only request, or the last of two, with the answer to the first.
        case last(first: JSONValue?)
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

    /// Says what an answer means.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - step: Which request is answered.
    ///   - codes: The code that was asked.
    ///   - date: When it came, for dates in it.
    /// - Returns: What it means.
    func meaning(
        of response: Response, step: Step, codes: CodeComparison, at date: HTTPDate
    ) -> AnswerMeaning {
        let status = response.status.code
        if status == 304 { return .unchanged }
        let document: Result<JSONValue, JSONSyntaxError> = Result {
            () throws(JSONSyntaxError) in try JSONReader.read(response.payload)
        }
        if let failure = failure(of: response, try? document.get(), date) {
            return .failed(failure)
        }
        if rules.notFound?.holds(status: status, document: try? document.get()) == true {
            return .notFound
        }
        guard response.isSuccess else {
            return .failed(unexpectedStatus(response, try? document.get(), date))
        }
        switch document {
        case .failure(let error): return .failed(noJSON(response, error))
        case .success(let answer):
            switch step {
            case .first(let captured): return capture(captured, from: answer)
            case .last(let first):
                return products(in: Documents(first: first, answer: answer), codes)
            }
        }
    }

    private func failure(
        of response: Response, _ document: JSONValue?, _ date: HTTPDate
    ) -> LookupFailure? {
        let status = response.status.code
        let isThrottled = rules.throttled?.holds(status: status, document: document) ?? false
        if status == 429 || isThrottled {
            let words = words(of: response, document)
            return LookupFailure(
                .throttled, "The catalog \(name) takes no more requests for now\(words).",
                retryAfter: Patience.wait(in: response, rateLimit, date))
        }
        guard rules.failed?.holds(status: status, document: document) == true else { return nil }
        let words = words(of: response, document)
        return LookupFailure(
            .reportedError, "The catalog \(name) answered that it failed\(words).",
            retryAfter: Patience.wait(in: response, rateLimit, date))
    }

    private func unexpectedStatus(
        _ response: Response, _ document: JSONValue?, _ date: HTTPDate
    ) -> LookupFailure {
        let status = response.status.code
        let words = words(of: response, document)
        let code: LookupFailure.Code =
            switch status {
            case 401, 403: .unauthorized
            case 500...599: .serverError
            default: .unexpectedStatus
            }
        return LookupFailure(
            code, "The catalog \(name) answered with status \(status)\(words).",
            retryAfter: Patience.wait(in: response, rateLimit, date))
    }

    private func noJSON(_ response: Response, _ error: JSONSyntaxError) -> LookupFailure {
        let type = response.mediaType.map { " of type \($0.quoted)" } ?? ""
        return LookupFailure(
            .unreadableAnswer,
            "The catalog \(name) answered with status \(response.status.code) and "
                + "\(response.payload.count) bytes\(type) that are not the JSON expected: \(error)."
        )
    }

    /// The catalog's own words, with a colon ahead of them; nothing where it says nothing.
    private func words(of response: Response, _ document: JSONValue?) -> String {
        let declared = document.flatMap { document in
            rules.messages.lazy.compactMap { document[$0]?.fieldText }.first
        }
        return (declared ?? response.serverMessage).map { ": \($0.quoted)" } ?? ""
    }
}

extension AnswerReader {
    private func capture(
        _ captured: [FollowUp.Captured], from answer: JSONValue
    ) -> AnswerMeaning {
        var values: [String: String] = [:]
        for value in captured {
            let found = value.places.lazy.compactMap { answer[$0]?.fieldText }.first
            guard let found else {
                let places = value.places.map(\.description.quoted).joined(separator: " or ")
                return .failed(
                    LookupFailure(
                        .unusableProduct,
                        "The catalog \(name) answered without what the second request needs; "
                            + "expected \(value.name) at \(places)."))
            }
            values[value.name] = found
        }
        return .captured(values: values, document: answer)
    }

    private func products(in documents: Documents, _ codes: CodeComparison) -> AnswerMeaning {
        let reader = ProductReader(mapping: mapping, documents: documents)
        do throws(MappingError) {
            let items = try reader.items()
            let matching = items.filter { reader.isVerified($0, against: codes) }
            guard !matching.isEmpty else { return otherProducts(items, codes, reader) }
            var products: [MappedProduct] = []
            for item in matching.prefix(Match.candidateLimit) {
                products.append(try reader.product(item))
            }
            return .found(products)
        } catch {
            return .failed(LookupFailure(.unusableProduct, "The catalog \(name): \(error)"))
        }
    }

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
        let found = reader.codes(of: item).prefix(3).map(\.quoted)
        let others =
            found.isEmpty ? "without a code" : "with the code " + found.joined(separator: ", ")
        return .failed(
            LookupFailure(
                .otherProduct,
                "The catalog \(name) answered with a product \(others); "
                    + "expected \(codes.asked.quoted)."))
    }
}
