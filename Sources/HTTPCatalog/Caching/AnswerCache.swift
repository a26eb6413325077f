import Catalog
import GRDB
import Synchronization
import WireText

/// Keeps answers of catalogs in an SQLite file, for a register that starts while a catalog cannot be
/// asked.
///
/// A file that cannot be read or written fails no lookup: the cache reports each reason once, and
/// answers as if it were empty.
package final class AnswerCache: Sendable {
    /// How many answers are kept at the most: some 100 MB.
    package static let standardCapacity = 200_000

    private let queue: DatabaseQueue
    private let capacity: Int
    private let wallClock: @Sendable () -> Int64
    private let report: @Sendable (String) -> Void
    private let state = Mutex(State())

    private struct State {
        var reported: Set<String> = []
        var savesUntilPruning = 0
    }

    /// Opens a file, or makes it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - capacity: How many answers are kept at the most.
    ///   - wallClock: The seconds since 1970.
    ///   - report: Receives a sentence for each failure later.
    /// - Throws: `CatalogError`.
    package init(
        path: String, capacity: Int = standardCapacity,
        wallClock: @escaping @Sendable () -> Int64 = { WallClock.secondsSince1970 },
        report: @escaping @Sendable (String) -> Void
    ) throws {
        self.capacity = capacity
        self.wallClock = wallClock
        self.report = report
        queue = try CatalogError.translating(path) {
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { try AnswerSchema.prepare($0, path: path) }
            return queue
        }
    }

    /// The answer that is kept for a code; it is never fresh.
    func answer(catalog: String, codes: [String], at now: MonotonicTime) -> CachedAnswer? {
        attempt { db in
            let statement = try db.cachedStatement(
                sql: "SELECT answer, stored_at FROM answer WHERE catalog = ? AND codes = ?")
            guard
                let row = try Row.fetchOne(
                    statement, arguments: [catalog, AnswerText.key(codes)])
            else { return nil }
            let age = wallClock() - (row[1] as Int64)
            guard var kept = AnswerText.answer(row[0]) else { return nil }
            // The clock of a box that was off may be wrong for a while. So a kept answer is asked for
            // again before it is used; an answer of the future is as old as one that just got stale.
            kept.at = MonotonicTime(
                sinceStart: now.sinceStart - (age >= 0 ? .seconds(age) : kept.fresh))
            kept.staleIfError += kept.fresh
            (kept.fresh, kept.staleWhileRevalidate) = (.zero, .zero)
            return kept
        } ?? nil
    }

    /// Keeps an answer, and replaces an earlier one.
    func save(_ answer: CachedAnswer, catalog: String, codes: [String], at now: MonotonicTime) {
        guard let text = AnswerText.text(answer) else { return }
        let storedAt = wallClock() - answer.age(at: now).components.seconds
        let isTimeToPrune = state.withLock { state in
            state.savesUntilPruning -= 1
            guard state.savesUntilPruning < 0 else { return false }
            state.savesUntilPruning = max(1, capacity / 16)
            return true
        }
        attempt { db in
            try db.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO answer (catalog, codes, answer, stored_at)
                    VALUES (?, ?, ?, ?)
                    """
            ).execute(arguments: [catalog, AnswerText.key(codes), text, storedAt])
            if isTimeToPrune { try prune(db) }
        }
    }

    /// Forgets an answer.
    func remove(catalog: String, codes: [String]) {
        attempt { db in
            try db.cachedStatement(sql: "DELETE FROM answer WHERE catalog = ? AND codes = ?")
                .execute(arguments: [catalog, AnswerText.key(codes)])
        }
    }

    /// How many answers there are.
    package var count: Int {
        attempt { try Int.fetchOne($0, sql: "SELECT count(*) FROM answer") ?? 0 } ?? 0
    }

    private func prune(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM answer WHERE (catalog, codes) IN (
                    SELECT catalog, codes FROM answer ORDER BY stored_at DESC LIMIT -1 OFFSET ?)
                """, arguments: [capacity])
    }

    @discardableResult
    private func attempt<Value>(_ body: (Database) throws -> Value) -> Value? {
        do {
            return try queue.writeWithoutTransaction(body)
        } catch {
            let reason = "The store of answers failed: \(error)."
            let isNew = state.withLock { $0.reported.insert(reason).inserted }
            if isNew { report(reason) }
            return nil
        }
    }
}

/// The answers of one catalog in a cache.
struct CatalogAnswers: Sendable {
    private let cache: AnswerCache
    /// The catalog's name, and the fingerprint of its declaration: another declaration does not find
    /// these answers.
    private let key: String

    /// Finds the answers of a catalog.
    ///
    /// - Parameters:
    ///   - declaration: What there is to know about the catalog.
    ///   - cache: Where they are.
    init(of declaration: HTTPCatalogDeclaration, in cache: AnswerCache) {
        self.cache = cache
        key = declaration.name + "#" + declaration.fingerprint
    }

    /// The answer that is kept for a code.
    func answer(for codes: [String], at now: MonotonicTime) -> CachedAnswer? {
        cache.answer(catalog: key, codes: codes, at: now)
    }

    /// Keeps an answer.
    func save(_ answer: CachedAnswer, for codes: [String], at now: MonotonicTime) {
        cache.save(answer, catalog: key, codes: codes, at: now)
    }

    /// Forgets the answer for a code.
    func remove(_ codes: [String]) {
        cache.remove(catalog: key, codes: codes)
    }
}

/// The table of a cache of answers.
///
/// `codes` is a JSON list of the texts that are asked, `answer` a JSON object (see `AnswerText`),
/// `stored_at` in seconds since 1970.
enum AnswerSchema {
    /// The schema this code writes, and the only one it reads.
    static let version = 1
    /// "kwAn".
    static let applicationID = 0x6B77_416E

    /// Makes the table in an empty file, and makes sure that any other file is a cache of answers.
    ///
    /// Another schema's answers are dropped: they can be asked for again.
    static func prepare(_ db: Database, path: String) throws {
        let row = try Row.fetchOne(
            db,
            sql: "SELECT user_version, application_id FROM pragma_user_version, "
                + "pragma_application_id")
        let found: Int = row?[0] ?? 0
        let isOurs = row?[1] == applicationID
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        guard isOurs || tables == 0 else { throw CatalogError.notACatalog(path: path) }
        try db.execute(sql: "PRAGMA journal_mode = WAL")
        // An answer that is lost in a power cut is asked for again.
        try db.execute(sql: "PRAGMA synchronous = OFF")
        guard !isOurs || found != version else { return }
        try db.inTransaction(.immediate) {
            try db.execute(
                sql: """
                    DROP TABLE IF EXISTS answer;
                    CREATE TABLE answer (
                        catalog TEXT NOT NULL,
                        codes TEXT NOT NULL,
                        answer TEXT NOT NULL,
                        stored_at INTEGER NOT NULL,
                        PRIMARY KEY (catalog, codes)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX answer_stored_at ON answer (stored_at);
                    PRAGMA application_id = \(applicationID);
                    PRAGMA user_version = \(version);
                    """)
            return .commit
        }
    }
}
