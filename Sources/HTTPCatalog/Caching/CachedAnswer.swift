import Catalog

/// An answer that is kept, and for how long it may be used.
struct CachedAnswer: Equatable, Sendable {
    /// The product found; nil where the catalog has none.
    var match: Match?
    /// When it came.
    var at: MonotonicTime
    /// How long it is used without asking again.
    var fresh: Duration
    /// How long beyond that it is used while it is asked for again.
    var staleWhileRevalidate: Duration
    /// How long beyond `fresh` it is used where asking again fails.
    var staleIfError: Duration
    /// What to ask with whether it still holds, and the code it was the answer for.
    var validator: Validator?

    /// What to ask with whether an answer still holds.
    struct Validator: Equatable, Sendable {
        /// The code as it was asked.
        var asked: String
        /// The entity tag.
        var entityTag: String
    }

    /// How long ago it came.
    func age(at now: MonotonicTime) -> Duration { max(.zero, now - at) }

    /// Whether it is used without asking.
    func isFresh(at now: MonotonicTime) -> Bool { age(at: now) < fresh }

    /// Whether it is used while it is asked for again.
    func isUsableMeanwhile(at now: MonotonicTime) -> Bool {
        age(at: now) < fresh + staleWhileRevalidate
    }

    /// Whether it is used where asking again fails.
    func isUsableOnError(at now: MonotonicTime) -> Bool { age(at: now) < fresh + staleIfError }

    /// Whether it is of any use.
    func isUsable(at now: MonotonicTime) -> Bool {
        validator != nil || age(at: now) < fresh + max(staleWhileRevalidate, staleIfError)
    }
}
