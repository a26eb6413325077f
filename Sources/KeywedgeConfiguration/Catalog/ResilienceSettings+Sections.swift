import HTTPCatalog
import WireText

private let longTimes: ClosedRange<Duration> = .zero ... .seconds(366 * 86_400)

extension ResilienceSettings {
    /// The settings, which stand beside those of the catalog.
    @Settings<ResilienceSettings>
    static var settings: [Setting<ResilienceSettings>] {
        let times: ClosedRange<Duration> = .milliseconds(1) ... .seconds(60)
        Setting(
            "attempt_timeout", \.attemptTimeout, .duration(in: times),
            "How long one request may take, from the connection to the last byte.")
        Setting(
            "connect_timeout", \.connectTimeout, .duration(in: times),
            "How long making a connection may take.")
        Setting(
            "attempts", \.attempts, .number(in: 1...5),
            "How often a request is sent at the most.")
        Setting(
            "backoff", \.backoff, .duration(in: .zero ... .seconds(60)),
            "The longest wait ahead of the second request; each further one may be twice as long.")
        Setting(
            "retry_tokens", \.retryTokens, .number(in: 0...1000),
            "How many retries the budget holds.")
        Setting(
            "breaker", \.breaker, BreakerSettings.section.codec,
            "When the catalog is left alone.")
        Setting(
            "cache", \.cache, CacheSettings.section.codec,
            "How long answers are kept.")
        Setting(
            "quota", \.quota, QuotaSettings.section.codec,
            "How many requests the catalog takes.")
    }
}

extension BreakerSettings {
    private static let times: ClosedRange<Duration> = .milliseconds(100) ... .seconds(3600)

    static let section = Section("breaker", BreakerSettings()) {
        Setting(
            "window", \.window, .duration(in: times), "The time over which requests are counted.")
        Setting(
            "min_calls", \.minimumCalls, .number(in: 1...1000),
            "The fewest requests in that time that say anything.")
        Setting(
            "failure_percent", \.failurePercent, .number(in: 1...100),
            "How many of a hundred of them must have failed.")
        Setting(
            "open_for", \.openFor, .duration(in: times),
            "How long the catalog is left alone for the first time.")
        Setting(
            "open_at_most", \.openAtMost, .duration(in: times),
            "The longest time it is left alone, reached by doubling.")
    } check: { breaker, section in
        guard breaker.openFor > breaker.openAtMost else { return }
        let times = [breaker.openFor, breaker.openAtMost].map(DurationText.text)
        section.reader.report(
            expected: "an open_for of at most open_at_most", found: "\(words: Words.all(times))")
    }
}

extension CacheSettings {
    static let section = Section("cache", CacheSettings()) {
        Setting(
            "fresh", \.fresh, .duration(in: longTimes),
            "How long a product is used without asking again.")
        Setting(
            "stale_while_revalidate", \.staleWhileRevalidate, .duration(in: longTimes),
            "How long beyond that it is used while it is asked for again.")
        Setting(
            "stale_if_error", \.staleIfError, .duration(in: longTimes),
            "How long beyond fresh it is used, marked as old, if asking again fails, whatever the "
                + "answer says; else a week, unless the answer says otherwise.")
        Setting(
            "not_found", \.notFound, .duration(in: longTimes),
            "How long it counts that the catalog has no such product.")
        Setting(
            "entries", \.entries, .number(in: 1...1_000_000),
            "How many answers are kept in memory, the last ones at least.")
        Setting(
            "obey_headers", \.obeysHeaders, .flag,
            "Whether Cache-Control in an answer goes ahead of these times.")
    }
}

extension QuotaSettings {
    static let section = Section(
        "quota", QuotaSettings(requests: 1, per: .seconds(1)), onOneLine: { _ in true }
    ) {
        Setting(
            "requests", \.requests, .number(in: 1...1_000_000_000), "How many requests.",
            needed: "how many requests")
        Setting(
            "per", \.per, .duration(in: .milliseconds(1)...longTimes.upperBound), "In which time.",
            needed: "in which time")
    }
}

extension Codec<RateLimitFields> {
    static let rateLimit = Section("rate-limit", RateLimitFields()) {
        Setting("remaining", \.remaining, .nonEmptyText, "How many more requests are taken.")
        Setting("reset", \.reset, .nonEmptyText, "When there will be more.")
        Setting("reset_unit", \.resetUnit, .choice, "How reset is written.")
    }.codec.omitting { $0 == RateLimitFields() }
}
