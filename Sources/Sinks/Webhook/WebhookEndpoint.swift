import HTTPTypes
import Journal
import WebAPI

/// The delivery of one event, signed, and what the server's answer means for it.
///
/// Rule: Standard Webhooks 1.0.0.
struct WebhookEndpoint: Endpoint {
    private let prepared: Request
    private let now: @Sendable () -> HTTPDate

    /// Makes the request for an event, signed at the time it is made.
    ///
    /// - Parameters:
    ///   - entry: The event.
    ///   - location: Where it goes.
    ///   - secrets: What signs it.
    ///   - now: Tells the date.
    /// - Throws: `HeaderFieldError`, for an identifier that cannot be in a header.
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
