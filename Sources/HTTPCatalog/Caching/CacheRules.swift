import Catalog

/// Decides what is kept of an answer, and what is done with what was kept.
struct CacheRules: Sendable {
    /// What to do with a lookup.
    enum Action: Equatable, Sendable {
        /// Answer with it.
        case use
        /// Answer with it, and ask again behind the register's back.
        case useAndAskAgain
        /// Ask.
        case ask
    }

    /// How long an answer is used if asking again fails, unless the shop or the answer says otherwise.
    private static let standardOutage = Duration.seconds(7 * 86_400)

    let settings: CacheSettings

    /// Decides what to do with a lookup.
    func action(for kept: CachedAnswer?, at now: MonotonicTime) -> Action {
        guard let kept else { return .ask }
        if kept.isFresh(at: now) { return .use }
        return kept.isUsableMeanwhile(at: now) ? .useAndAskAgain : .ask
    }

    /// Whether an answer that was kept stands in for one that failed.
    ///
    /// Never where the catalog refused to answer us: who may not see a product any more shall not
    /// see what it was. Nor does it help against a mistake in the declaration or in the request.
    func mayServeStale(_ kept: CachedAnswer, for failure: LookupFailure, at now: MonotonicTime)
        -> Bool
    {
        guard kept.isUsableOnError(at: now) else { return false }
        switch failure.code {
        case .timedOut, .unreachable, .tls, .brokenConnection, .throttled, .serverError,
            .unreadableAnswer, .answerTooLong, .reportedError, .suspended, .quotaUsedUp:
            return true
        case .unauthorized, .unexpectedStatus, .unusableProduct, .otherProduct,
            .unreadableSecret, .invalidRequest, .unusableCatalog, .cancelled:
            return false
        }
    }

    /// Decides what is kept of an answer.
    ///
    /// - Parameters:
    ///   - match: The product found; nil where a rule said that the catalog has none.
    ///   - directives: What the answer says about how long it may be kept.
    ///   - asked: The code as it was asked.
    ///   - now: When it came.
    /// - Returns: What to keep; nil for nothing.
    func kept(
        _ match: Match?, _ directives: CacheDirectives, asked: String, at now: MonotonicTime
    ) -> CachedAnswer? {
        let validator = directives.entityTag.map {
            CachedAnswer.Validator(asked: asked, entityTag: $0)
        }
        guard let match else {
            guard !(settings.obeysHeaders && directives.noStore) else { return nil }
            return CachedAnswer(
                match: nil, at: now, fresh: settings.notFound, staleWhileRevalidate: .zero,
                staleIfError: .zero, validator: nil)
        }
        var kept = CachedAnswer(
            match: match, at: now, fresh: settings.fresh,
            staleWhileRevalidate: settings.staleWhileRevalidate,
            staleIfError: settings.staleIfError ?? Self.standardOutage, validator: validator)
        guard settings.obeysHeaders else { return kept }
        // For how long an outage may last, the shop decides.
        if directives.noStore, settings.staleIfError == nil { return nil }
        obey(directives, &kept)
        return kept
    }

    private func obey(_ directives: CacheDirectives, _ kept: inout CachedAnswer) {
        let isToBeAsked = directives.noCache || directives.noStore
        kept.fresh = isToBeAsked ? .zero : directives.freshFor ?? kept.fresh
        if isToBeAsked || directives.mustRevalidate {
            kept.staleWhileRevalidate = .zero
            kept.staleIfError = settings.staleIfError ?? .zero
        } else {
            kept.staleWhileRevalidate =
                directives.staleWhileRevalidate ?? kept.staleWhileRevalidate
            kept.staleIfError =
                settings.staleIfError ?? directives.staleIfError ?? kept.staleIfError
        }
    }

    /// What was kept, once the catalog has said that it still holds.
    func renewed(
        _ kept: CachedAnswer, _ directives: CacheDirectives, at now: MonotonicTime
    ) -> CachedAnswer? {
        var directives = directives
        directives.entityTag = directives.entityTag ?? kept.validator?.entityTag
        return self.kept(
            kept.match, directives, asked: kept.validator?.asked ?? "", at: now)
    }
}
