import Catalog
import HTTPTypes
import WebAPI
import WireText

/// Gets tokens by the client credentials grant, one for all lookups at a time.
///
/// Rule: RFC 6749, sections 4.4 and 2.3.1.
actor TokenCache {
    private struct Kept {
        let token: AccessToken
        let until: MonotonicTime
    }

    private let name: String
    private let client: APIClient
    private let clock: CatalogClock
    private let userAgent: String
    private var kept: Kept?
    private var underWay: Task<Result<AccessToken, LookupFailure>, Never>?

    init(name: String, client: APIClient, clock: CatalogClock, userAgent: String) {
        self.name = name
        self.client = client
        self.clock = clock
        self.userAgent = userAgent
    }

    /// A token to send.
    ///
    /// - Parameters:
    ///   - credentials: Whose token.
    ///   - limit: How long getting one may take.
    ///   - observe: Is told of the request, or that there was none.
    /// - Returns: The token, or why there is none.
    func token(
        for credentials: Credentials, within limit: Duration,
        observe: LookupStep.Observer? = nil
    ) async -> Result<String, LookupFailure> {
        if let kept, clock.now() < kept.until {
            observe?(.note("token", "the one that was got before"))
            return .success(kept.token.text)
        }
        if let underWay { return await underWay.value.map(\.text) }
        let task = Task { await self.fetch(credentials, limit, observe) }
        underWay = task
        let asked = clock.now()
        let result = await task.value
        underWay = nil
        if case .success(let token) = result {
            kept = Kept(token: token, until: asked + token.lifetime)
        }
        return result.map(\.text)
    }

    /// Forgets a token that was refused; another one got meanwhile stays.
    func discard(_ token: String) {
        if kept?.token.text == token { kept = nil }
    }

    private func fetch(
        _ credentials: Credentials, _ limit: Duration, _ observe: LookupStep.Observer?
    ) async -> Result<AccessToken, LookupFailure> {
        let endpoint: TokenEndpoint
        do {
            guard let known = try credentials.client() else {
                return .failure(
                    LookupFailure(.invalidRequest, "There is no client to get a token for."))
            }
            endpoint = TokenEndpoint(
                request: try tokenRequest(known.client, id: known.id, secret: known.secret))
        } catch let error as SecretError {
            return .failure(
                LookupFailure(.unreadableSecret, "The catalog \(name): \(words: "\(error)")"))
        } catch {
            return .failure(
                LookupFailure(.invalidRequest, "The catalog \(name): \(words: "\(error)")."))
        }
        let mask = Redaction([endpoint.request], known: credentials.known)
        let outcome = await client.call(endpoint, within: limit)
        if let observe {
            for exchange in Exchange.all(of: outcome.attempts, number: 0, mask) {
                observe(.token(exchange))
            }
        }
        switch outcome.result {
        case .success(.token(let token)): return .success(token)
        case .success(.refusal(let response)): return .failure(refusal(response, mask))
        case .failure(let error):
            return .failure(
                LookupFailure(error, name: "\(name), asked for a token,", mask: mask))
        }
    }

    private func refusal(
        _ response: Response, _ mask: Redaction
    ) -> LookupFailure {
        let message: Phrase? = response.serverMessage.map { ": \(quoted: $0)" }
        let refusal: Phrase? = response.refusedRedirect.map { ", and \(words: $0.description)" }
        let words = mask.applied(to: refusal ?? message ?? "")
        let status = response.status.code
        let code: LookupFailure.Code =
            switch status {
            case 429: .throttled
            case 500...599: .serverError
            case 200...299: .unreadableAnswer
            default: .unauthorized
            }
        return LookupFailure(
            code, "The catalog \(name) gave no token but status \(status)\(words).",
            retryAfter: RetryAfter(response.headers)?.wait(now: clock.date()))
    }

    private func tokenRequest(
        _ client: Authentication.OAuth2Client, id: String, secret: String
    ) throws -> Request {
        var form = [(name: "grant_type", value: "client_credentials")]
        if let scope = client.scope { form.append(("scope", scope)) }
        var headers: HTTPFields = [.accept: "application/json", .userAgent: userAgent]
        switch client.sending {
        case .form: form += [("client_id", id), ("client_secret", secret)]
        case .basic:
            let encoded = [id, secret].map { Query($0, "").encodedName }
            let field = Credentials.basic(user: encoded[0], password: encoded[1])
            headers.append(try HeaderField.make(field.name, field.value, isSecret: true))
        }
        return Request(
            try Location(client.tokenURL), headers: headers, .post(FormText.payload(form)))
    }
}

/// The request for a token, and what may come of it.
///
/// Rule: RFC 6749, sections 4.4.2, 5.1 and 5.2.
private struct TokenEndpoint: Endpoint {
    enum Model: Sendable {
        case token(AccessToken)
        /// There is no token in the answer.
        case refusal(Response)
    }

    let request: Request

    var call: Call<Model> {
        Call(request, named: "token", accepting: .any, parser: Parser { model(from: $0) })
    }

    private func model(from response: Response) -> Model {
        guard response.isSuccess, let token = try? response.decoded(as: AccessToken.self) else {
            return .refusal(response)
        }
        return .token(token)
    }
}
