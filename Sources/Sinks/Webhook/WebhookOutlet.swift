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
        await take(entries, at: "\(location.address.origin)", settled: settled, send)
    }

    private func send(_ entry: JournalEntry) async -> OutletAnswer {
        let delivery: WebhookDelivery
        do {
            delivery = try WebhookDelivery(entry, to: location, signedBy: try secrets(), at: now())
        } catch let error as HeaderFieldError {
            return .settled(.refused("\(error)"))
        } catch {
            return .later("\(error)")
        }
        switch await client.result(of: delivery, within: limit) {
        case .success(let answer): return answer
        case .failure(let error):
            // The status counts even if what follows it is broken off or never ends.
            let partial = error.connectionError?.partial
            return partial.map(delivery.model) ?? .later("\(error.reason)")
        }
    }
}

/// The request for one event, and what the server's answer means for it.
private struct WebhookDelivery: Endpoint {
    private let prepared: Request
    private let time: HTTPDate

    /// Signs an event; throws if its identifier cannot be in a header.
    init(
        _ entry: JournalEntry, to location: Location, signedBy secrets: [WebhookSecret],
        at time: HTTPDate
    ) throws(HeaderFieldError) {
        self.time = time
        let timestamp = time.secondsSince1970
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

    var call: Call<OutletAnswer> {
        Call(prepared, named: "webhook", accepting: .any, parser: Parser { model(from: $0) })
    }

    func model(from response: Response) -> OutletAnswer { OutletAnswer(response, now: time) }
}

extension OutletAnswer {
    /// Bad request, content too large, unsupported media type, unprocessable content: about the event.
    ///
    /// Every other refusal may be about the moment, the secret or the address.
    private static let refusals: Set<Int> = [400, 413, 415, 422]

    init(_ response: Response, now: HTTPDate) {
        // The server's own words may differ each time, and would be reported each time.
        let code = response.status.code
        let answer = "it answered with status \(code)"
        switch code {
        case 200..<300: self = .settled(.taken)
        case _ where Self.refusals.contains(code): self = .settled(.refused(answer))
        case 300..<400: self = .later("\(answer), a redirect; expected the final address")
        default: self = .later(answer, after: RetryAfter(response.headers)?.wait(now: now))
        }
    }
}
