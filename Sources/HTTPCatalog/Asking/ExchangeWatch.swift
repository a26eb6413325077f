import Synchronization
import WebAPI

/// Sees what goes over the line: each request, those after redirects too, and what came back.
final class ExchangeWatch: Interceptor {
    private let clock: CatalogClock
    private let attempt: Int
    private let mask: Redaction
    private let observe: LookupStep.Observer
    private let lastEnd: Mutex<MonotonicTime>

    /// Makes a watch for one request and the redirects that come of it.
    ///
    /// - Parameters:
    ///   - clock: What times are measured by.
    ///   - attempt: Which request of a lookup it is, from 1 on; 0 for a request for a token.
    ///   - mask: What no text shows.
    ///   - observe: Is told of each exchange.
    init(
        clock: CatalogClock, attempt: Int, mask: Redaction,
        observe: @escaping LookupStep.Observer
    ) {
        self.clock = clock
        self.attempt = attempt
        self.mask = mask
        self.observe = observe
        lastEnd = Mutex(clock.now())
    }

    func incoming(
        _ output: Output, of request: Request, in context: CallContext
    ) async -> Output {
        let now = clock.now()
        let start = lastEnd.withLock { last in
            defer { last = now }
            return last
        }
        let exchange = Exchange(
            request: request, output: output, took: now - start, attempt: attempt,
            redirect: context.attempt - 1, mask: mask, showsContent: attempt > 0)
        observe(attempt > 0 ? .exchange(exchange) : .token(exchange))
        return output
    }
}

extension APIClient {
    /// The client with something that sees its exchanges, where somebody observes; else itself.
    func observed(
        by observe: LookupStep.Observer?, _ watch: (@escaping LookupStep.Observer) -> ExchangeWatch
    ) -> APIClient {
        guard let observe else { return self }
        var client = self
        client.interceptors.append(watch(observe))
        return client
    }

    /// Why a redirect was not followed; nil for a response that is none.
    func refusal(of response: Response, after hops: [Attempt]) -> RefusedRedirect? {
        hops.last.flatMap { last in
            redirects.refusal(of: response, to: last.request, followed: hops.count - 1)
        }
    }
}
