import Catalog

extension ResilienceSettings {
    private static let times: ClosedRange<Duration> = .milliseconds(1) ... .seconds(60)
    private static let longTimes: ClosedRange<Duration> = .zero ... .seconds(366 * 86_400)

    /// Reads what is said beside a catalog; what is wrong is reported and has its default.
    mutating func read(_ mapping: ConfigurationMapping<HTTPCatalogConfiguration.Key>) {
        mapping.read(.attemptTimeout, into: &attemptTimeout) { $0.duration(in: Self.times) }
        mapping.read(.connectTimeout, into: &connectTimeout) { $0.duration(in: Self.times) }
        mapping.read(.attempts, into: &attempts) { $0.number(in: 1...5) }
        mapping.read(.backoff, into: &backoff) { $0.duration(in: .zero ... .seconds(60)) }
        mapping.read(.retryTokens, into: &retryTokens) { $0.number(in: 0...1000) }
        mapping.read(.breaker, into: &breaker, BreakerSettings.init(reading:))
        mapping.read(.cache, into: &cache) { CacheSettings(reading: $0, times: Self.longTimes) }
        mapping.read(.quota, into: &quota, QuotaSettings.init(reading:))
    }
}

extension BreakerSettings {
    enum Key: String, CaseIterable {
        case window
        case minimumCalls = "min_calls"
        case failurePercent = "failure_percent"
        case openFor = "open_for"
        case openAtMost = "open_at_most"
    }

    init?(reading reader: ConfigurationReader) {
        guard let mapping = ConfigurationMapping<Key>(reader) else { return nil }
        self.init()
        let times: ClosedRange<Duration> = .milliseconds(100) ... .seconds(3600)
        mapping.read(.window, into: &window) { $0.duration(in: times) }
        mapping.read(.minimumCalls, into: &minimumCalls) { $0.number(in: 1...1000) }
        mapping.read(.failurePercent, into: &failurePercent) { $0.number(in: 1...100) }
        mapping.read(.openFor, into: &openFor) { $0.duration(in: times) }
        mapping.read(.openAtMost, into: &openAtMost) { $0.duration(in: times) }
        guard openFor > openAtMost else { return }
        reader.report(
            expected: "an open_for of at most open_at_most",
            found: "\(DurationText.text(openFor)) and \(DurationText.text(openAtMost))")
    }
}

extension CacheSettings {
    enum Key: String, CaseIterable {
        case fresh
        case staleWhileRevalidate = "stale_while_revalidate"
        case staleIfError = "stale_if_error"
        case notFound = "not_found"
        case entries
        case obeysHeaders = "obey_headers"
    }

    init?(reading reader: ConfigurationReader, times: ClosedRange<Duration>) {
        guard let mapping = ConfigurationMapping<Key>(reader) else { return nil }
        self.init()
        mapping.read(.fresh, into: &fresh) { $0.duration(in: times) }
        mapping.read(.staleWhileRevalidate, into: &staleWhileRevalidate) { $0.duration(in: times) }
        mapping.read(.staleIfError, into: &staleIfError) { $0.duration(in: times) }
        mapping.read(.notFound, into: &notFound) { $0.duration(in: times) }
        mapping.read(.entries, into: &entries) { $0.number(in: 1...1_000_000) }
        mapping.read(.obeysHeaders, into: &obeysHeaders) { $0.flag() }
    }
}

extension QuotaSettings {
    enum Key: String, CaseIterable {
        case requests, per
    }

    init?(reading reader: ConfigurationReader) {
        guard let mapping = ConfigurationMapping<Key>(reader) else { return nil }
        let requests = reader.required(
            mapping[.requests], "how many requests", Key.requests.rawValue
        ) { $0.number(in: 1...1_000_000_000) }
        let per = reader.required(mapping[.per], "in which time", Key.per.rawValue) {
            $0.duration(in: .milliseconds(1) ... .seconds(366 * 86_400))
        }
        guard let requests, let per else { return nil }
        self.init(requests: requests, per: per)
    }
}

extension RateLimitFields {
    enum Key: String, CaseIterable {
        case remaining, reset
        case resetUnit = "reset_unit"
    }

    init?(reading reader: ConfigurationReader) {
        guard let mapping = ConfigurationMapping<Key>(reader) else { return nil }
        self.init()
        mapping.read(.remaining, into: &remaining) { $0.nonEmptyText() }
        mapping.read(.reset, into: &reset) { $0.nonEmptyText() }
        mapping.read(.resetUnit, into: &resetUnit) { $0.choice(TimeUnit.self) }
    }
}
