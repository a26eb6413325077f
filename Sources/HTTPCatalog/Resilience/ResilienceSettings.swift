/// What is done so that a slow, throttled or broken catalog does no harm.
///
/// Where each default comes from is said in `docs/catalog-http.md`.
package struct ResilienceSettings: Hashable, Sendable {
    /// How long one request may take, from the connection to the last byte.
    package var attemptTimeout: Duration = .milliseconds(800)
    /// How long making a connection may take.
    package var connectTimeout: Duration = .milliseconds(500)
    /// How often a request is sent at the most.
    package var attempts = 2
    /// The longest wait ahead of the second request; each further one may be twice as long.
    package var backoff: Duration = .milliseconds(100)
    /// How many retries the budget holds.
    package var retryTokens = 10
    /// When a catalog is left alone.
    package var breaker = BreakerSettings()
    /// How long answers are kept.
    package var cache = CacheSettings()
    /// How many requests a catalog takes; nil where there is no limit.
    package var quota: QuotaSettings?

    /// Makes settings that are all default.
    package init() {}

    /// How long asking again may take where nobody waits for it: as long as all attempts take.
    var backgroundLimit: Duration {
        (attemptTimeout + backoff) * max(1, attempts)
    }
}

/// When a catalog is left alone, and for how long.
package struct BreakerSettings: Hashable, Sendable {
    /// The time over which requests are counted.
    package var window: Duration = .seconds(30)
    /// The fewest requests in that time that say anything.
    package var minimumCalls = 5
    /// How many of a hundred of them must have failed.
    package var failurePercent = 50
    /// How long the catalog is left alone for the first time.
    package var openFor: Duration = .seconds(5)
    /// The longest time it is left alone, reached by doubling.
    package var openAtMost: Duration = .seconds(60)

    /// Makes settings that are all default.
    package init() {}
}

/// How long answers are kept.
package struct CacheSettings: Hashable, Sendable {
    /// How long a product is used without asking again.
    package var fresh: Duration = .seconds(300)
    /// How long beyond that it is used while it is asked for again.
    package var staleWhileRevalidate: Duration = .seconds(600)
    /// How long beyond `fresh` it is used if asking again fails, whatever the answer says; nil for a
    /// week, unless the answer says otherwise.
    package var staleIfError: Duration?
    /// How long it counts that the catalog has no such product.
    package var notFound: Duration = .seconds(60)
    /// How many answers are kept in memory.
    package var entries = 10_000
    /// Whether `Cache-Control` in an answer takes precedence over these times.
    package var obeysHeaders = true

    /// Makes settings that are all default.
    package init() {}
}

/// How many requests a catalog takes.
package struct QuotaSettings: Hashable, Sendable {
    /// How many.
    package var requests: Int
    /// In which time.
    package var per: Duration

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - requests: How many requests, at least one.
    ///   - per: In which time, more than none.
    package init(requests: Int, per: Duration) {
        self.requests = requests
        self.per = per
    }
}
