import Catalog
import WireText

/// The rules for caching answers and for using cached answers.
struct CacheRules: Sendable {
    enum Action: Equatable, Sendable {
        case use
        /// The answer is used, marked as stale, and refreshed in the background.
        case useAndAskAgain
        case ask
    }

    /// How long a cached answer can be used, counted from its arrival.
    struct Times: Equatable {
        var fresh: Duration
        /// How long the answer can be used after ``fresh`` has passed, while it is refreshed.
        var staleWhileRevalidate = Duration.zero
        /// How long the answer can be used after ``fresh`` has passed, if refreshing it fails.
        var staleIfError = Duration.zero
    }

    /// The default for how long to use a stale answer if it cannot be refreshed.
    private static let standardOutage = Duration.seconds(7 * 86_400)

    let settings: CacheSettings

    func times(of kept: CachedAnswer) -> Times {
        let directives = settings.obeysHeaders ? kept.directives : CacheDirectives()
        let isToBeAsked = directives.noCache || directives.noStore
        let usual = kept.match == nil ? settings.notFound : settings.fresh
        var times = Times(fresh: isToBeAsked ? .zero : directives.freshFor ?? usual)
        guard kept.match != nil else { return times }
        // If an answer must not be used when stale, it can bridge an outage only if the shop's settings allow that.
        guard !isToBeAsked, !directives.mustRevalidate else {
            times.staleIfError = settings.staleIfError ?? .zero
            return times
        }
        times.staleWhileRevalidate =
            directives.staleWhileRevalidate ?? settings.staleWhileRevalidate
        times.staleIfError =
            settings.staleIfError ?? directives.staleIfError ?? Self.standardOutage
        return times
    }

    func action(for kept: CachedAnswer?, at now: MonotonicTime) -> Action {
        guard let kept, !kept.isFromFile else { return .ask }
        let (age, times) = (kept.age(at: now), times(of: kept))
        if age < times.fresh { return .use }
        return age < times.fresh + times.staleWhileRevalidate ? .useAndAskAgain : .ask
    }

    /// Whether a cached answer may be used, marked as stale, instead of a failure.
    ///
    /// An answer never replaces a refusal, because someone who has lost access must not see old data. Nor does it
    /// replace the failure of an invalid declaration or request, because users must notice such a mistake.
    func mayServeStale(
        _ kept: CachedAnswer, for failure: LookupFailure, at now: MonotonicTime
    ) -> Bool {
        isUsableOnError(kept, at: now)
            && [
                .timedOut, .unreachable, .tls, .brokenConnection, .throttled, .serverError,
                .unreadableAnswer, .answerTooLong, .reportedError, .suspended, .quotaUsedUp,
            ].contains(failure.code)
    }

    private func isUsableOnError(_ kept: CachedAnswer, at now: MonotonicTime) -> Bool {
        let times = times(of: kept)
        return kept.age(at: now) < times.fresh + times.staleIfError
    }

    /// Whether a cached answer can still be used instead of a failure or for revalidation.
    func isUsable(_ kept: CachedAnswer, at now: MonotonicTime) -> Bool {
        kept.directives.entityTag != nil || isUsableOnError(kept, at: now)
    }

    /// Whether an answer may be cached; the settings can override its header fields.
    func mayKeep(_ answer: CachedAnswer) -> Bool {
        guard settings.obeysHeaders else { return true }
        guard answer.match != nil else { return times(of: answer).fresh > .zero }
        return !answer.directives.noStore || settings.staleIfError != nil
    }
}

extension CacheRules {
    /// Describes the cached answer, and how a scan would use it.
    func words(about kept: CachedAnswer?, at now: MonotonicTime) -> String {
        guard let kept else { return "nothing kept" }
        let what = kept.match != nil ? "a product" : "that there is no such product"
        let tag = kept.directives.entityTag != nil ? "; it is asked for with its entity tag" : ""
        let meaning =
            switch action(for: kept, at: now) {
            case .use: "fresh: a scan is answered with it and nothing is sent; here it is asked"
            case .useAndAskAgain:
                "stale: a scan is answered with it, and it is asked for again afterwards"
            case .ask where isUsableOnError(kept, at: now):
                "stale: it is used if asking fails"
            case .ask: "too old to be an answer"
            }
        return "kept \(kept.age(at: now).text) ago: \(what), \(meaning)\(tag)"
    }

    func words(keeping answer: CachedAnswer, confirmed: Bool = false) -> String {
        guard mayKeep(answer) else {
            let isForbidden = answer.directives.noStore
            return "not kept: the answer says \(isForbidden ? "no-store" : "no-cache or max-age=0")"
        }
        let times = times(of: answer)
        if confirmed { return "what was kept still holds: fresh for \(times.fresh.text)" }
        let what = answer.match != nil ? "kept" : "kept that there is no such product"
        let (meanwhile, ifError) = (times.staleWhileRevalidate, times.staleIfError)
        let stale =
            meanwhile > .zero || ifError > .zero
            ? ", stale for \(meanwhile.text) more while it is asked for again and for "
                + "\(ifError.text) more if that fails"
            : ""
        return "\(what): fresh for \(times.fresh.text)\(stale)"
            + (answer.directives.entityTag != nil ? ", with its entity tag" : "")
    }
}
