import KeywedgeTestKit
import Synchronization
import WebAPI

@testable import HTTPCatalog

/// A shop's service whose behaviour depends on the clock: it passes through all phases.
final class TillService: Sendable {
    enum Phase: Int, CaseIterable {
        /// The service answers in 40 ms.
        case up
        /// Requests time out after at most 3 s.
        case slow
        /// Connections are refused.
        case down
        /// The service answers 429, and asks to wait a minute.
        case throttled
        /// The service answers again in 40 ms, with new prices.
        case back
    }

    static let phaseLength = Duration.seconds(1200)
    /// The number of products; codes from `code-150` on are unknown.
    static let productCount = 150

    private let clock: ManualClock
    private let sent = Mutex<[Int]>(Array(repeating: 0, count: Phase.allCases.count))

    init(clock: ManualClock) { self.clock = clock }

    /// The number of requests in each phase.
    var requests: [Int] { sent.withLock { $0 } }

    /// A transport that sends requests to the service.
    var transport: StubTransport {
        StubTransport { request, limit in await self.answer(request, within: limit) }
    }

    static func phase(at time: Duration) -> Phase {
        Phase(rawValue: min(Int(time / phaseLength), Phase.allCases.count - 1)) ?? .back
    }

    /// Returns a product's price: one cent for each number, and ten euros more in the last phase.
    static func price(of number: Int, at time: Duration) -> String? {
        guard number < productCount else { return nil }
        let euros = phase(at: time) == .back ? 10 : 0
        let cents = String(100 + number % 100).dropFirst()
        return "\(euros + number / 100).\(cents)"
    }

    private func answer(_ request: Request, within limit: Duration) async -> Output {
        let now = clock.now.sinceStart
        let phase = Self.phase(at: now)
        sent.withLock { $0[phase.rawValue] += 1 }
        switch phase {
        case .down: return Shop.refused
        case .throttled: return Shop.status(429, headers: [.retryAfter: "60"])
        case .slow:
            try? await clock.sleep(for: min(limit, .seconds(3)))
            return .noResponse(ConnectionError(.timedOut(after: limit), during: .head))
        case .up, .back:
            try? await clock.sleep(for: .milliseconds(40))
            let code = request.code
            let number = Int(code.dropFirst("code-".count)) ?? Self.productCount
            guard let price = Self.price(of: number, at: now) else { return Shop.status(404) }
            return Shop.product(code, price: price)
        }
    }
}
