import Catalog
import HTTPTypes
import WebAPI
import WireText

/// One request of a lookup as a declaration describes it, and what its answers mean.
struct LookupEndpoint: Endpoint {
    /// What is asked, and how the answer is read.
    struct Question {
        var request: RequestDeclaration
        var rules: AnswerRules
        var step: AnswerReader.Step
        var values: [String: String]
        var codes: CodeComparison
        var entityTag: String?
        /// What a link is relative to.
        var base: Location?
    }

    /// An answer as it was understood.
    struct Model: Sendable {
        /// What it means, and how that was come to.
        var reading: AnswerReading
        /// What it says about how long it may be kept.
        var directives: CacheDirectives
        /// How long the catalog takes no more requests, where this one was the last it took.
        var pause: Duration?
        /// Whether the catalog did not accept what authenticates us.
        var isRefused: Bool
    }

    private let context: RequestContext
    private let question: Question
    private var prepared: Request

    /// Makes the request of a question, without what authenticates it.
    ///
    /// - Parameters:
    ///   - question: What is asked.
    ///   - context: What all requests to the catalog share.
    /// - Throws: `RequestBuilder.Problem`.
    init(_ question: Question, _ context: RequestContext) throws(RequestBuilder.Problem) {
        self.context = context
        self.question = question
        prepared = try context.builder.request(
            question.request, question.values, entityTag: question.entityTag, base: question.base)
    }

    /// Puts what authenticates into the request.
    mutating func authenticate(by field: Credentials.Field) throws(HeaderFieldError) {
        try field.add(to: &prepared)
    }

    var call: Call<Model> {
        Call(prepared, named: context.name, accepting: .any, parser: Parser { model(from: $0) })
    }

    private func model(from response: Response) -> Model {
        let date = context.clock.date()
        return Model(
            reading: reading(of: response, at: date), directives: CacheDirectives(response),
            pause: RequestedWait.pause(after: response, context.declaration.rateLimit, date),
            isRefused: response.status == .unauthorized)
    }

    /// What no text shows.
    var mask: Redaction { Redaction([prepared], known: context.credentials.known) }

    private func reading(of response: Response, at date: HTTPDate) -> AnswerReading {
        let reader = AnswerReader(
            name: context.name, rules: question.rules, mapping: context.declaration.product,
            rateLimit: context.declaration.rateLimit, mask: { mask },
            redirect: response.refusedRedirect)
        var reading = reader.reading(
            of: response, step: question.step, codes: question.codes, at: date)
        if reading.meaning == .unchanged, question.entityTag == nil {
            reading.meaning = .failed(
                LookupFailure(
                    .unexpectedStatus,
                    "The catalog \(context.name) answered with status 304 to a question that was no "
                        + "condition."))
        }
        return reading
    }
}
