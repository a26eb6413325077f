import Catalog

/// How keywedge limits the harm of a slow, throttled or broken catalog.
///
/// `docs/catalog-http.md` explains the defaults.
package struct ResilienceSettings: Equatable, Sendable {
    /// The time limit for a request, from connecting to the last byte.
    package var attemptTimeout: Duration = .milliseconds(800)
    package var connectTimeout: Duration = .milliseconds(500)
    package var attempts = 2
    /// The longest wait before the second request; it may double before each further one.
    package var backoff: Duration = .milliseconds(100)
    package var retryTokens = 10
    package var breaker = BreakerSettings()
    package var cache = CacheSettings()
    /// The number of requests that a catalog accepts; nil for no limit.
    package var quota: QuotaSettings?
    /// The time limit for a lookup, including other catalogs: `catalog.deadline`.
    package var lookupLimit = CatalogSources.standardDeadline

    package init() {}

    /// The time limit for asking again in the background: enough for all attempts.
    var backgroundLimit: Duration { (attemptTimeout + backoff) * max(1, attempts) }
}

/// When to stop asking a catalog, and for how long.
package struct BreakerSettings: Equatable, Sendable {
    package var window: Duration = .seconds(30)
    /// The minimum number of requests in `window` before their failures count.
    package var minimumCalls = 5
    /// The percentage of failures that opens the breaker.
    package var failurePercent = 50
    package var openFor: Duration = .seconds(5)
    /// The longest time to leave the catalog alone, reached by doubling.
    package var openAtMost: Duration = .seconds(60)

    package init() {}
}

/// How long to cache answers.
package struct CacheSettings: Equatable, Sendable {
    package var fresh: Duration = .seconds(300)
    /// How long after `fresh` to use an answer while asking again in the background.
    package var staleWhileRevalidate: Duration = .seconds(600)
    /// How long after `fresh` to use an answer if asking again fails, whatever its headers say.
    ///
    /// Nil for a week, unless the headers say otherwise.
    package var staleIfError: Duration?
    package var notFound: Duration = .seconds(60)
    /// The number of answers kept in memory: at least the most recent ones, at most twice as many.
    package var entries = 10_000
    /// Whether an answer's `Cache-Control` takes precedence over these times.
    package var obeysHeaders = true

    package init() {}
}

/// The number of requests that a catalog accepts in a period.
package struct QuotaSettings: Equatable, Sendable {
    /// The number of requests, at least one.
    package var requests: Int
    /// The period, longer than zero.
    package var per: Duration

    package init(requests: Int, per: Duration) { (self.requests, self.per) = (requests, per) }
}
