import Catalog

/// Settings for lookups in a slow, throttling or failing catalog.
package struct ResilienceSettings: Equatable, Sendable {
    /// The time limit for one attempt, from connecting to the last byte of the answer.
    package var attemptTimeout: Duration = .milliseconds(800)
    package var connectTimeout: Duration = .milliseconds(500)
    package var attempts = 2
    /// The longest wait before the second attempt; this limit doubles for each further attempt.
    package var backoff: Duration = .milliseconds(100)
    package var retryTokens = 10
    package var breaker = BreakerSettings()
    package var cache = CacheSettings()
    package var quota: QuotaSettings?
    /// The time limit for a lookup in all catalogs together (the setting `catalog.deadline`).
    package var lookupLimit = CatalogSources.standardDeadline

    package init() {}

    /// The time limit for refreshing a cached answer in the background: enough for all attempts.
    var backgroundLimit: Duration {
        attemptTimeout * max(1, attempts) + backoff * (1 << min(attempts, 10))
    }
}

package struct BreakerSettings: Equatable, Sendable {
    package var window: Duration = .seconds(30)
    /// The minimum number of requests in ``window`` for the breaker to open.
    package var minimumCalls = 5
    /// The percentage of the requests in ``window`` that must fail for the breaker to open.
    package var failurePercent = 50
    package var openFor: Duration = .seconds(5)
    /// The longest time that an open breaker refuses requests before the next probe.
    package var openAtMost: Duration = .seconds(60)

    package init() {}
}

package struct CacheSettings: Equatable, Sendable {
    package var fresh: Duration = .seconds(300)
    /// How long to use an answer after ``fresh`` has passed, while it is refreshed in the background.
    package var staleWhileRevalidate: Duration = .seconds(600)
    /// How long to use an answer after ``fresh`` has passed if refreshing the answer fails.
    ///
    /// This time overrides the answer's header fields. If nil, they decide; if they say nothing, the default is a week.
    package var staleIfError: Duration?
    package var notFound: Duration = .seconds(60)
    /// The number of most recently used answers that are sure to stay in memory; older ones may be dropped.
    package var entries = 10_000
    /// Whether an answer's `Cache-Control` overrides these settings, except ``staleIfError``.
    package var obeysHeaders = true

    package init() {}
}

/// The number of requests that a catalog accepts in a period.
package struct QuotaSettings: Equatable, Sendable {
    /// How many requests are allowed per period; at least one.
    package var requests: Int
    /// The length of the quota's period; greater than zero.
    package var per: Duration

    package init(requests: Int, per: Duration) { (self.requests, self.per) = (requests, per) }
}
