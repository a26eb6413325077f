import Crypto
import Synchronization
import WebAPI
import WireText

/// A catalog's cached answers, kept in memory and optionally in a file.
final class CatalogAnswers: Sendable {
    /// The start of 2020, in seconds since 1970; an earlier date means that the clock was not set.
    private static let earliest: Int64 = 1_577_836_800

    let rules: CacheRules
    private let file: AnswerFile?
    private let clock: CatalogClock
    private let key: SymmetricKey
    private let recent: Mutex<RecentAnswers>

    init(_ settings: CacheSettings, file: AnswerFile?, clock: CatalogClock) {
        rules = CacheRules(settings: settings)
        (self.file, self.clock) = (file, clock)
        key = file?.key ?? SymmetricKey(size: .bits256)
        recent = Mutex(RecentAnswers(capacity: settings.entries))
    }

    /// Returns a keyed hash of `text`, which contains a catalog's declaration and its credentials.
    func owner(of text: String) -> String {
        HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key).prefix(16).hexadecimal
    }

    func answer(for key: AnswerKey) -> CachedAnswer? {
        if let kept = recent.withLock({ $0.answer(for: key) }) { return kept }
        guard let file, let (stored, storedAt) = file.answer(for: key) else { return nil }
        var kept = stored
        kept.at = clock.now() - age(of: kept, storedAt: storedAt, for: key)
        guard rules.isUsable(kept, at: clock.now()) else { return nil }
        recent.withLock { recent in
            kept = recent.answer(for: key) ?? kept
            recent.set(kept, for: key)
        }
        return kept
    }

    /// Estimates the age of a stored answer; the clock may be wrong now, or may have been wrong when it was stored.
    ///
    /// If an answer's date is in the future, or shows that the clock was not set, the answer counts as having just
    /// become stale. In the latter case, it starts to age when the clock is set.
    private func age(of kept: CachedAnswer, storedAt: Int64, for key: AnswerKey) -> Duration {
        let now = clock.date().secondsSince1970
        let fresh = rules.times(of: kept).fresh
        guard storedAt < Self.earliest || storedAt > now else { return .seconds(now - storedAt) }
        if storedAt < Self.earliest, now >= Self.earliest {
            file?.save(kept, for: key, storedAt: now - fresh.components.seconds)
        }
        return fresh
    }

    /// Caches an answer; if it may not be cached, only removes the previous one.
    func keep(_ answer: CachedAnswer, for key: AnswerKey) {
        let isKept = rules.mayKeep(answer)
        recent.withLock { $0.set(isKept ? answer : nil, for: key) }
        if isKept, answer.match != nil {
            let age = answer.age(at: clock.now()).components.seconds
            file?.save(answer, for: key, storedAt: clock.date().secondsSince1970 - age)
        } else {
            file?.remove(key)
        }
    }
}

/// The most recently used answers, in two halves.
///
/// When the younger half is full, it replaces the older one. Using an answer moves it to the younger half.
struct RecentAnswers: Sendable {
    /// The number of most recently used answers that are sure to be kept; older answers may be dropped.
    let capacity: Int
    private var younger: [AnswerKey: CachedAnswer] = [:]
    private var older: [AnswerKey: CachedAnswer] = [:]

    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// Returns the cached answer, if any, and marks it as recently used.
    mutating func answer(for key: AnswerKey) -> CachedAnswer? {
        if let answer = younger[key] { return answer }
        guard let answer = older[key] else { return nil }
        set(answer, for: key)
        return answer
    }

    mutating func set(_ answer: CachedAnswer?, for key: AnswerKey) {
        older[key] = nil
        younger[key] = answer
        guard younger.count > capacity else { return }
        older = younger
        younger = [:]
    }
}
