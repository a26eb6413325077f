import Catalog

/// Decides what to keep of an answer, and how to use it later.
struct CacheRules: Sendable {
    /// How a lookup uses a kept answer.
    enum Action: Equatable, Sendable {
        /// Answer with it.
        case use
        /// Answer with it, marked as old, and ask again afterwards.
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

    /// Whether a kept answer, marked as old, replaces one that failed.
    ///
    /// Never if the catalog refused to answer: someone who may no longer see a product must not see
    /// what it was. Nor if the declaration or the request is wrong.
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

    /// Decides what to keep of an answer.
    ///
    /// - Parameters:
    ///   - match: The product; nil if a rule said that the catalog has none.
    ///   - directives: How long the answer says that it may be kept.
    ///   - asked: The code as it was asked.
    ///   - now: When the answer came.
    /// - Returns: The answer to keep; nil to keep nothing.
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

    /// Renews a kept answer after the catalog has said that it is still right.
    func renewed(
        _ kept: CachedAnswer, _ directives: CacheDirectives, at now: MonotonicTime
    ) -> CachedAnswer? {
        var directives = directives
        directives.entityTag = directives.entityTag ?? kept.validator?.entityTag
        return self.kept(
            kept.match, directives, asked: kept.validator?.asked ?? "", at: now)
    }
}
