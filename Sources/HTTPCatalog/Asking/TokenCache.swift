import Catalog
import HTTPTypes
import Synchronization
import WebAPI
import WireText

/// A cache that fetches OAuth 2 tokens with the client credentials grant, and shares them among all lookups.
///
/// Rule: RFC 6749, sections 4.4, 5.1 and 2.3.1.
final class TokenCache: Sendable {
    private struct Kept {
        let owner: String
        let text: String
        let until: MonotonicTime
    }

    /// How long before its expiry to stop using a token, so that requests with the token arrive in time.
    private static let margin = Duration.seconds(30)
    /// How long to use a token if the server does not say when the token expires.
    private static let standardLifetime = Duration.seconds(300)

    private let name: String
    private let limit: Duration
    private let client: APIClient
    private let clock: CatalogClock
    private let userAgent: String
    private let kept = Mutex<Kept?>(nil)
    private let requests: SharedRequests<String, Result<String, LookupFailure>>

    init(
        _ declaration: HTTPCatalogDeclaration, client: APIClient, clock: CatalogClock,
        userAgent: String
    ) {
        (name, limit) = (declaration.name, declaration.resilience.attemptTimeout)
        (self.client, self.clock, self.userAgent) = (client, clock, userAgent)
        requests = SharedRequests(clock: clock)
    }

    /// Returns a cached or new token; throws if none is available by the deadline.
    func token(
        of client: Authentication.OAuth2Client, _ credentials: Credentials,
        _ current: Credentials.Current, until deadline: MonotonicTime, trace: Trace?
    ) async throws(LookupFailure) -> String {
        let now = clock.now()
        if let kept = kept.withLock({ $0 }), kept.owner == current.owner, now < kept.until {
            trace.note("token", "the one that was got before")
            return kept.text
        }
        let answer = await requests.answer(
            for: current.owner, until: deadline, ending: now + limit
        ) {
            await self.fetch(client, credentials, current, trace)
        }
        guard let answer else {
            throw Task.isCancelled
                ? .givenUp : LookupFailure(.timedOut, "The catalog \(name) gave no token in time.")
        }
        return try answer.get()
    }

    /// Forgets a refused token, unless a new one has already replaced it.
    func discard(_ token: String) {
        kept.withLock { if $0?.text == token { $0 = nil } }
    }

    private func fetch(
        _ client: Authentication.OAuth2Client, _ credentials: Credentials,
        _ current: Credentials.Current, _ trace: Trace?
    ) async -> Result<String, LookupFailure> {
        let request: Request
        do {
            request = try self.request(client, current.values)
        } catch {
            return .failure(
                LookupFailure(.invalidRequest, "The catalog \(name): \(words: "\(error)")."))
        }
        let asked = clock.now()
        let mask = Redaction([request], known: credentials.known)
        let output = await self.client.output(for: request, named: "token", within: limit)
        trace?.add(
            .token(
                Exchange(request: request, output: output, took: clock.now() - asked, mask: mask)))
        switch output {
        case .noResponse(let error):
            return .failure(
                LookupFailure(.noResponse(error), name: "\(name), asked for a token,", mask: mask))
        case .response(let response):
            guard response.isSuccess, let answer = try? response.jsonContent(),
                let text = answer.object?["access_token"]?.string, !text.isEmpty,
                text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { return .failure(refusal(response, mask)) }
            let until = asked + Self.lifetime(of: answer)
            kept.withLock { $0 = Kept(owner: current.owner, text: text, until: until) }
            return .success(text)
        }
    }

    private static func lifetime(of answer: JSONValue) -> Duration {
        guard case .integer(let seconds) = answer.object?["expires_in"],
            (0...1_000_000_000).contains(seconds)
        else { return standardLifetime }
        return max(.zero, .seconds(seconds) - margin)
    }

    private func refusal(_ response: Response, _ mask: Redaction) -> LookupFailure {
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

    private func request(
        _ client: Authentication.OAuth2Client, _ values: [String]
    ) throws -> Request {
        var form = [(name: "grant_type", value: "client_credentials")]
        if let scope = client.scope { form.append(("scope", scope)) }
        if client.sending == .form {
            form += zip(["client_id", "client_secret"], values).map { ($0, $1) }
        }
        var request = Request(
            try Location(client.tokenURL),
            headers: [.accept: "application/json", .userAgent: userAgent], .post(.form(form)))
        if client.sending == .basic {
            let encoded = values.map { Query($0, "").encodedName }
            try request.authenticate(user: encoded[0], password: encoded[1])
        }
        return request
    }
}
