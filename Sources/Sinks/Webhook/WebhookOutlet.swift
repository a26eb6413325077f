package import Journal
package import WebAPI
import WireText

/// Sends each event to a web server, signed, and goes on when the server has taken it.
///
/// Rule: Standard Webhooks 1.0.0.
package struct WebhookOutlet: DurableOutlet {
    private let location: Location
    private let client: APIClient
    private let secrets: @Sendable () throws -> [WebhookSecret]
    private let limit: Duration
    private let now: @Sendable () -> HTTPDate

    /// Makes an outlet.
    ///
    /// - Parameters:
    ///   - location: Where events go.
    ///   - transport: What carries the requests.
    ///   - secrets: Reads what signs them; two while one takes the place of the other.
    ///   - limit: How long the server may take for an event.
    ///   - now: Tells the date.
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

    /// Sends events, one after the other.
    package func take(
        _ entries: [JournalEntry], settled: @escaping @Sendable (Int, Verdict) -> Void
    ) async -> TakeOutcome {
        for (index, entry) in entries.enumerated() {
            let delivery: WebhookEndpoint
            do {
                delivery = try WebhookEndpoint(
                    entry, to: location, signedBy: try secrets(), now: now)
            } catch {
                return .later("\(location.address.origin): \(error)")
            }
            let result = await client.result(of: delivery, within: limit)
            if Task.isCancelled { return .cancelled }
            switch WebhookAnswer(result, now: now()) {
            case .taken: settled(index, .taken)
            case .refused(let reason): settled(index, .refused(reason))
            case .again(let reason, let wait):
                return .later("\(location.address.origin): \(reason)", after: wait)
            case .gone(let reason): return .off("\(location.address.origin): \(reason)")
            }
        }
        return .all
    }
}
