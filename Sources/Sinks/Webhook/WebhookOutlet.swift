import HTTPTypes
package import Journal
package import WebAPI
import WireText

/// Sends each event to a web server, signed, one after another.
///
/// Rule: Standard Webhooks 1.0.0.
package struct WebhookOutlet: DurableOutlet {
    private let location: Location
    private let client: APIClient
    private let secrets: @Sendable () throws -> [WebhookSecret]
    private let limit: Duration
    private let now: @Sendable () -> HTTPDate

    /// `secrets` reads the keys that sign an event, two while one replaces the other; `limit` is the
    /// longest that the server may take for an event.
    package init(
        to location: Location, over transport: any Transport,
        secrets: @escaping @Sendable () throws -> [WebhookSecret], limit: Duration,
        now: @escaping @Sendable () -> HTTPDate = { .now }
    ) {
        self.location = location
        client = APIClient(transport: transport, redirects: .refuse)
        self.secrets = secrets
        self.limit = limit
        self.now = now
    }

    package func take(
        _ entries: [JournalEntry], settled: @escaping @Sendable (Int, Verdict) -> Void
    ) async -> TakeOutcome {
        for (index, entry) in entries.enumerated() {
            guard !Task.isCancelled else { return .cancelled }
            switch await send(entry) {
            case .taken: settled(index, .taken)
            case .refused(let reason): settled(index, .refused(reason))
            case .later(let reason, let wait):
                guard !Task.isCancelled else { return .cancelled }
                return .later("\(location.address.origin): \(reason)", after: wait)
            }
        }
        return .all
    }

    private func send(_ entry: JournalEntry) async -> WebhookAnswer {
        let secrets: [WebhookSecret]
        do {
            secrets = try self.secrets()
        } catch {
            return .later("\(error)", after: nil)
        }
        let delivery: WebhookDelivery
        do throws(HeaderFieldError) {
            delivery = try WebhookDelivery(entry, to: location, signedBy: secrets, now: now)
        } catch {
            return .refused("\(error)")
        }
        return WebhookAnswer(await client.result(of: delivery, within: limit), now: now())
    }
}

/// The request for one event, and what the server's answer means for it.
private struct WebhookDelivery: Endpoint {
    private let prepared: Request
    private let now: @Sendable () -> HTTPDate

    /// Signs an event now.
    ///
    /// - Throws: `HeaderFieldError` if the event's identifier cannot be in a header.
    init(
        _ entry: JournalEntry, to location: Location, signedBy secrets: [WebhookSecret],
        now: @escaping @Sendable () -> HTTPDate
    ) throws(HeaderFieldError) {
        self.now = now
        let timestamp = now().secondsSince1970
        let signatures = secrets.map {
            $0.signature(id: entry.id, timestamp: timestamp, body: entry.line)
        }
        var request = Request(
            location, .post(Payload(entry.line, contentType: "application/cloudevents+json")))
        for (name, value) in [
            ("webhook-id", entry.id), ("webhook-timestamp", String(timestamp)),
            ("webhook-signature", signatures.joined(separator: " ")),
        ] {
            request.headers.append(try HeaderField.make(name, value))
        }
        prepared = request
    }

    let endpointName = "webhook"
    var baseURL: BaseURL { BaseURL(prepared.url) }

    func request() -> Request { prepared }

    func model(from response: Response) -> WebhookAnswer { WebhookAnswer(response, now: now()) }
}

/// What a webhook's answer means for the event that was sent.
enum WebhookAnswer: Equatable, Sendable {
    /// The server accepted it.
    case taken
    /// The server refuses this event for good: why.
    case refused(String)
    /// The event is sent again: why, and the least time to wait.
    case later(String, after: Duration?)

    /// The statuses that are about the event.
    ///
    /// Bad request, content too large, unsupported media type, unprocessable content: every other refusal
    /// may be about the moment, the secret or the address.
    private static let refusals: Set<Int> = [400, 413, 415, 422]

    init(_ result: Result<WebhookAnswer, CallError>, now: HTTPDate) {
        switch result {
        case .success(let answer): self = answer
        case .failure(let error):
            // The status counts even if what follows it is broken off or never ends.
            self =
                error.connectionError?.partial.map { WebhookAnswer($0, now: now) }
                ?? .later("\(error.reason)", after: nil)
        }
    }

    init(_ response: Response, now: HTTPDate) {
        // The server's own words may differ each time, and would be reported each time.
        let code = response.status.code
        let answer = "it answered with status \(code)"
        switch code {
        case 200..<300: self = .taken
        case _ where Self.refusals.contains(code): self = .refused(answer)
        case 300..<400:
            self = .later("\(answer), a redirect; expected the final address", after: nil)
        default:
            self = .later(answer, after: RetryAfter(response.headers)?.wait(now: now))
        }
    }
}
