import Catalog

/// How keywedge keeps a slow, throttled or broken catalog from doing harm.
///
/// `docs/catalog-http.md` says where each default comes from.
package struct ResilienceSettings: Equatable, Sendable {
    /// How long one request may take, from the connection to the last byte.
    package var attemptTimeout: Duration = .milliseconds(800)
    package var connectTimeout: Duration = .milliseconds(500)
    package var attempts = 2
    /// The longest wait before the second request; each further one may be twice as long.
    package var backoff: Duration = .milliseconds(100)
    package var retryTokens = 10
    package var breaker = BreakerSettings()
    package var cache = CacheSettings()
    /// How many requests a catalog takes; nil if there is no limit.
    package var quota: QuotaSettings?
    /// How long a lookup has in all, other catalogs included: `catalog.deadline`.
    package var lookupLimit = CatalogSources.standardDeadline

    package init() {}

    /// How long asking again may take if nobody waits for it: as long as all attempts.
    var backgroundLimit: Duration { (attemptTimeout + backoff) * max(1, attempts) }
}

/// When a catalog is left alone, and for how long.
package struct BreakerSettings: Equatable, Sendable {
    package var window: Duration = .seconds(30)
    /// The fewest requests in that time that say anything.
    package var minimumCalls = 5
    /// How many of a hundred of them must have failed.
    package var failurePercent = 50
    package var openFor: Duration = .seconds(5)
    /// The longest time it is left alone, reached by doubling.
    package var openAtMost: Duration = .seconds(60)

    package init() {}
}

/// How long answers are kept.
package struct CacheSettings: Equatable, Sendable {
    package var fresh: Duration = .seconds(300)
    /// How long after that it is used while it is asked for again.
    package var staleWhileRevalidate: Duration = .seconds(600)
    /// How long after `fresh` it is used if asking again fails, whatever the answer says; nil for a
    /// week, unless the answer says otherwise.
    package var staleIfError: Duration?
    package var notFound: Duration = .seconds(60)
    /// How many answers are kept in memory: at least the last ones, and at most twice as many.
    package var entries = 10_000
    /// Whether `Cache-Control` in an answer takes precedence over these times.
    package var obeysHeaders = true

    package init() {}
}

/// How many requests a catalog takes.
package struct QuotaSettings: Equatable, Sendable {
    /// How many requests, at least one.
    package var requests: Int
    /// In which time, more than none.
    package var per: Duration

    package init(requests: Int, per: Duration) {
        self.requests = requests
        self.per = per
    }
}
