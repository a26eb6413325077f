import Catalog
import WireText

/// Decides what to keep of an answer, and how to use it later.
///
/// The times follow from the settings of now and from what the answer said, so that a setting that is
/// lowered holds for kept answers as well.
struct CacheRules: Sendable {
    /// How a lookup uses a kept answer.
    enum Action: Equatable, Sendable {
        case use
        /// Answer with it, marked as old, and ask again afterwards.
        case useAndAskAgain
        case ask
    }

    /// How long an answer is used, counted from when it came.
    struct Times: Equatable {
        /// Without asking again.
        var fresh: Duration
        /// After `fresh`, while it is asked for again.
        var staleWhileRevalidate = Duration.zero
        /// After `fresh`, if asking again fails.
        var staleIfError = Duration.zero
    }

    /// How long an answer is used if asking again fails, unless the shop or the answer says otherwise.
    private static let standardOutage = Duration.seconds(7 * 86_400)

    let settings: CacheSettings

    func times(of kept: CachedAnswer) -> Times {
        let (settings, directives) = (settings, kept.directives)
        let outage = settings.staleIfError ?? Self.standardOutage
        let isToBeAsked = settings.obeysHeaders && (directives.noCache || directives.noStore)
        let usual = kept.match == nil ? settings.notFound : settings.fresh
        let said = settings.obeysHeaders ? directives.freshFor : nil
        let fresh = isToBeAsked ? .zero : said ?? usual
        guard kept.match != nil else { return Times(fresh: fresh) }
        guard settings.obeysHeaders else {
            return Times(fresh, settings.staleWhileRevalidate, outage)
        }
        // For how long an outage may last, the shop decides.
        guard !isToBeAsked, !directives.mustRevalidate else {
            return Times(fresh, .zero, settings.staleIfError ?? .zero)
        }
        return Times(
            fresh, directives.staleWhileRevalidate ?? settings.staleWhileRevalidate,
            settings.staleIfError ?? directives.staleIfError ?? outage)
    }

    func action(for kept: CachedAnswer?, at now: MonotonicTime) -> Action {
        guard let kept, !kept.isFromFile else { return .ask }
        let (age, times) = (kept.age(at: now), times(of: kept))
        if age < times.fresh { return .use }
        return age < times.fresh + times.staleWhileRevalidate ? .useAndAskAgain : .ask
    }

    /// Whether a kept answer, marked as old, replaces one that failed.
    ///
    /// Never if the catalog refused to answer: someone who may no longer see a product must not see
    /// what it was. Nor if the declaration or the request is wrong.
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

    /// Whether a kept answer is of any use: it may replace a failure, or be confirmed.
    func isUsable(_ kept: CachedAnswer, at now: MonotonicTime) -> Bool {
        kept.directives.entityTag != nil || isUsableOnError(kept, at: now)
    }

    /// Whether an answer may be kept: its headers may forbid it, but for how long an outage may last,
    /// the shop decides.
    func mayKeep(_ answer: CachedAnswer) -> Bool {
        guard settings.obeysHeaders else { return true }
        guard answer.match != nil else { return times(of: answer).fresh > .zero }
        return !answer.directives.noStore || settings.staleIfError != nil
    }
}

extension CacheRules.Times {
    fileprivate init(_ fresh: Duration, _ meanwhile: Duration, _ onError: Duration) {
        self.init(fresh: fresh, staleWhileRevalidate: meanwhile, staleIfError: onError)
    }
}

extension CacheRules {
    /// What is kept when a code is asked for, and how a scan uses it.
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
                "stale: it stands in if asking fails"
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
                + "\(ifError.text) more where that fails"
            : ""
        return "\(what): fresh for \(times.fresh.text)\(stale)"
            + (answer.directives.entityTag != nil ? ", with its entity tag" : "")
    }
}
