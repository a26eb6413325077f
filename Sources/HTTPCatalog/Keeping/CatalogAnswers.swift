import Crypto
import Synchronization
import WebAPI

/// The answers of one catalog: the last ones decoded in memory, and all of them in a file if there is
/// one.
final class CatalogAnswers: Sendable {
    /// No box has kept an answer before this date (2020): its clock was not set.
    private static let earliest: Int64 = 1_577_836_800

    let rules: CacheRules
    private let file: AnswerFile?
    private let clock: CatalogClock
    private let key: SymmetricKey
    private let recent: Mutex<RecentAnswers>

    init(_ settings: CacheSettings, file: AnswerFile?, clock: CatalogClock) {
        rules = CacheRules(settings: settings)
        self.file = file
        self.clock = clock
        key = file?.key ?? SymmetricKey(size: .bits256)
        recent = Mutex(RecentAnswers(capacity: settings.entries))
    }

    /// Whose answers they are: a keyed hash of a text with the declaration and the credentials.
    func owner(of text: String) -> String { AnswerKey.owner(of: text, under: key) }

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

    /// How old an answer of the file is, by a clock that may have been wrong then, or is now.
    ///
    /// An answer of the future, and one of a box whose clock was not set, is as old as one that just
    /// became stale. The latter ages from when the clock is set.
    private func age(of kept: CachedAnswer, storedAt: Int64, for key: AnswerKey) -> Duration {
        let now = clock.date().secondsSince1970
        let fresh = rules.times(of: kept).fresh
        guard storedAt < Self.earliest || storedAt > now else { return .seconds(now - storedAt) }
        if storedAt < Self.earliest, now >= Self.earliest {
            file?.save(kept, for: key, storedAt: now - fresh.components.seconds)
        }
        return fresh
    }

    /// Keeps an answer, or forgets the one that was kept if it may not be kept.
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

/// The answers used last, in two halves: when the younger half is full, it becomes the older one, and
/// the answers that were not used since are dropped.
struct RecentAnswers: Sendable {
    /// How many answers are certainly kept; there are at most twice as many.
    let capacity: Int
    private var younger: [AnswerKey: CachedAnswer] = [:]
    private var older: [AnswerKey: CachedAnswer] = [:]

    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// The answer under a key, which becomes one of the younger.
    mutating func answer(for key: AnswerKey) -> CachedAnswer? {
        if let answer = younger[key] { return answer }
        guard let answer = older[key] else { return nil }
        set(answer, for: key)
        return answer
    }

    /// Keeps an answer under a key, or nothing.
    mutating func set(_ answer: CachedAnswer?, for key: AnswerKey) {
        older[key] = nil
        younger[key] = answer
        guard younger.count > capacity else { return }
        older = younger
        younger = [:]
    }
}
