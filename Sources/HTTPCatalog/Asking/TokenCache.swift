import Catalog
import HTTPTypes
import Synchronization
import WebAPI
import WireText

/// Gets tokens by the client credentials grant, one for all lookups at a time.
///
/// Rule: RFC 6749, sections 4.4 and 2.3.1.
final class TokenCache: Sendable {
    /// A token that was got.
    ///
    /// Rule: RFC 6749, section 5.1.
    private struct Kept {
        /// How long before its end a token is no longer used: the request with it still has to arrive.
        private static let margin = Duration.seconds(30)
        /// How long a token without a known end is used.
        private static let standardLifetime = Duration.seconds(300)

        let owner: String
        let text: String
        let until: MonotonicTime

        /// Reads an answer; nil if it has no token of visible ASCII characters.
        init?(_ answer: JSONValue, of owner: String, asked: MonotonicTime) {
            guard let text = answer.object?["access_token"]?.string, !text.isEmpty,
                text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { return nil }
            (self.owner, self.text) = (owner, text)
            var lifetime = Self.standardLifetime
            // What is no number of seconds says nothing, and makes the token no worse.
            if case .integer(let seconds) = answer.object?["expires_in"],
                (0...1_000_000_000).contains(seconds)
            {
                lifetime = max(.zero, .seconds(seconds) - Self.margin)
            }
            until = asked + lifetime
        }
    }

    private let name: String
    private let client: APIClient
    private let clock: CatalogClock
    private let userAgent: String
    private let limit: Duration
    private let kept = Mutex<Kept?>(nil)
    private let requests: SharedRequests<String, Result<String, LookupFailure>>

    init(
        name: String, client: APIClient, clock: CatalogClock, userAgent: String, limit: Duration
    ) {
        self.name = name
        self.client = client
        self.clock = clock
        self.userAgent = userAgent
        self.limit = limit
        requests = SharedRequests(clock: clock)
    }

    /// A token to send, or why there is none by the deadline.
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

    /// Forgets a token that was refused; another one got meanwhile stays.
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
        let took = clock.now() - asked
        trace?.add(
            .token(Exchange(request, output, took: took, attempt: 0, redirect: 0, mask)))
        switch output {
        case .noResponse(let error):
            return .failure(
                LookupFailure(
                    .noResponse(error), name: "\(name), asked for a token,", mask: mask))
        case .response(let response):
            guard response.isSuccess, let answer = try? response.jsonContent(),
                let token = Kept(answer, of: current.owner, asked: asked)
            else { return .failure(refusal(response, mask)) }
            kept.withLock { $0 = token }
            return .success(token.text)
        }
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
        var headers: HTTPFields = [.accept: "application/json", .userAgent: userAgent]
        switch client.sending {
        case .form: form += zip(["client_id", "client_secret"], values).map { ($0, $1) }
        case .basic:
            let encoded = values.map { Query($0, "").encodedName }
            let field = Credentials.Field.basic(user: encoded[0], password: encoded[1])
            headers.append(try HeaderField.make(field.name, field.value, isSecret: true))
        }
        return Request(
            try Location(client.tokenURL), headers: headers, .post(.form(form)))
    }
}
