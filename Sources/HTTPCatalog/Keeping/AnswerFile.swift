import Crypto
import Foundation
import GRDB
import Synchronization
import WireText

/// Answers of catalogs in an SQLite file, for a register that starts while a catalog cannot be asked.
///
/// A file that cannot be read or written fails no lookup: each reason is reported once, and nothing is
/// found. A damaged file is put aside, and a new one begins. Each row has a checksum, so that a byte
/// that changed is never a price.
package final class AnswerFile: Sendable {
    /// How many answers are kept at the most: some 100 MB.
    package static let standardCapacity = 200_000

    /// Makes the hashes in a file; another one for another file.
    let key: SymmetricKey

    private let path: String
    private let capacity: Int
    private let report: @Sendable (String) -> Void
    private let state: Mutex<State>

    private struct State {
        /// Nil once the file cannot be replaced by a new one.
        var queue: DatabaseQueue?
        var reported: Set<String> = []
        var savesUntilPruning = 0
    }

    /// Opens a file, or makes it; `report` receives a sentence for each failure later.
    package init(
        path: String, capacity: Int = standardCapacity, report: @escaping @Sendable (String) -> Void
    ) throws(AnswerFileError) {
        self.path = path
        self.capacity = capacity
        self.report = report
        let (queue, key) = try Self.openOrReplace(path, report)
        self.key = key
        state = Mutex(State(queue: queue))
    }

    /// The answer that is kept under a key, and when it was stored, in seconds since 1970.
    func answer(for key: AnswerKey) -> (answer: CachedAnswer, storedAt: Int64)? {
        attempt { db, _ in
            let statement = try db.cachedStatement(
                sql: "SELECT answer, stored_at, checksum FROM answer WHERE owner = ? AND codes = ?")
            guard let row = try Row.fetchOne(statement, arguments: [key.owner, key.codes]) else {
                return nil
            }
            // Values of a damaged file may be of another type, which a cast would not survive.
            guard let text = String.fromDatabaseValue(row[0]),
                let storedAt = Int64.fromDatabaseValue(row[1]),
                Data.fromDatabaseValue(row[2]) == checksum(key, text, storedAt),
                let answer = CachedAnswer(json: text)
            else {
                try delete(key, db)
                return nil
            }
            return (answer, storedAt)
        } ?? nil
    }

    /// Keeps an answer, and replaces an earlier one.
    func save(_ answer: CachedAnswer, for key: AnswerKey, storedAt: Int64) {
        guard let text = answer.json else { return remove(key) }
        attempt { db, state in
            try db.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO answer (owner, codes, answer, stored_at, checksum)
                    VALUES (?, ?, ?, ?, ?)
                    """
            ).execute(
                arguments: [key.owner, key.codes, text, storedAt, checksum(key, text, storedAt)])
            state.savesUntilPruning -= 1
            guard state.savesUntilPruning < 0 else { return }
            state.savesUntilPruning = max(1, capacity / 16)
            try db.execute(
                sql: """
                    DELETE FROM answer WHERE (owner, codes) IN (
                        SELECT owner, codes FROM answer ORDER BY stored_at DESC LIMIT -1 OFFSET ?)
                    """, arguments: [capacity])
        }
    }

    func remove(_ key: AnswerKey) { attempt { db, _ in try delete(key, db) } }

    var count: Int {
        attempt { db, _ in try Int.fetchOne(db, sql: "SELECT count(*) FROM answer") ?? 0 } ?? 0
    }

    private func delete(_ key: AnswerKey, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM answer WHERE owner = ? AND codes = ?")
            .execute(arguments: [key.owner, key.codes])
    }

    private func checksum(_ key: AnswerKey, _ text: String, _ storedAt: Int64) -> Data {
        let row = "\(key.owner)\n\(key.codes)\n\(storedAt)\n\(text)"
        return Data(
            HMAC<SHA256>.authenticationCode(for: Data(row.utf8), using: self.key).prefix(16))
    }

    /// Does something with the file; if that finds it damaged, with a new one.
    @discardableResult
    private func attempt<Value: Sendable>(
        _ body: (Database, inout State) throws -> Value
    ) -> Value? {
        state.withLock { state in
            for _ in 0..<2 {
                guard let queue = state.queue else { break }
                do {
                    return try queue.writeWithoutTransaction { try body($0, &state) }
                } catch {
                    let error = AnswerFileError(error, path: path)
                    if state.reported.insert(error.description).inserted, !error.isDamage {
                        report(error.description)
                    }
                    guard error.isDamage else { break }
                    replace(&state, error)
                }
            }
            return nil
        }
    }
}

extension AnswerFile {
    private typealias Opened = (queue: DatabaseQueue, key: SymmetricKey)

    private static func openOrReplace(
        _ path: String, _ report: (String) -> Void
    ) throws(AnswerFileError) -> Opened {
        do throws(AnswerFileError) {
            return try open(path, key: nil)
        } catch {
            guard error.isDamage else { throw error }
            return try beginAnew(path, key: nil, after: error, report)
        }
    }

    private static func open(_ path: String, key: SymmetricKey?) throws(AnswerFileError) -> Opened {
        do {
            var configuration = Configuration()
            configuration.busyMode = .timeout(0.05)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            return (queue, try queue.writeWithoutTransaction { try AnswerSchema.prepare($0, key) })
        } catch {
            throw AnswerFileError(error, path: path)
        }
    }

    /// Replaces the damaged file by a new one, with the same key, since answers in memory have it.
    private func replace(_ state: inout State, _ damage: AnswerFileError) {
        try? state.queue?.close()
        state.queue = nil
        do throws(AnswerFileError) {
            state.queue = try Self.beginAnew(path, key: key, after: damage, report).queue
        } catch {
            report("\(damage) Answers are kept in memory only: \(error)")
        }
    }

    /// Renames a damaged file with its log, in the place of an earlier one, and makes a new one.
    private static func beginAnew(
        _ path: String, key: SymmetricKey?, after damage: AnswerFileError,
        _ report: (String) -> Void
    ) throws(AnswerFileError) -> Opened {
        do {
            for ending in ["-wal", "-shm", ""] {
                let aside = path + ".damaged" + ending
                try? FileManager.default.removeItem(atPath: aside)
                guard FileManager.default.fileExists(atPath: path + ending) else { continue }
                try FileManager.default.moveItem(atPath: path + ending, toPath: aside)
            }
        } catch {
            throw AnswerFileError(error, path: path)
        }
        let opened = try open(path, key: key)
        report(
            "\(damage) It was put aside, with \".damaged\" after its name, and a new one was begun."
        )
        return opened
    }
}

/// Why an answers file cannot be used, in one sentence.
package struct AnswerFileError: Error, Equatable, CustomStringConvertible {
    /// Whether a new file mends it.
    let isDamage: Bool
    package let description: String

    fileprivate init(_ error: any Error, path: String) {
        let damage: String?
        var reason = "\(error)"
        switch error {
        case AnswerSchema.Problem.notWhole: damage = "its tables are not whole"
        case AnswerSchema.Problem.otherDatabase:
            damage = nil
            reason = "it is an SQLite database of something else"
        case let error as DatabaseError:
            reason = "\(error.message ?? "unknown") (SQLite \(error.extendedResultCode.rawValue))"
            damage = Self.isDamage(error, path) ? reason : nil
        default: damage = nil
        }
        isDamage = damage != nil
        description =
            "The answers file \(path.quoted(upTo: .max)) "
            + (damage.map { "is damaged: \($0)." } ?? "cannot be used: \(reason).")
    }

    private static func isDamage(_ error: DatabaseError, _ path: String) -> Bool {
        switch error.resultCode {
        // An error in our own statements is one of the schema they meet.
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_FORMAT, .SQLITE_MISMATCH: true
        // A byte in the header makes a file one that this SQLite may not write to.
        case .SQLITE_READONLY: FileManager.default.isWritableFile(atPath: path)
        default: false
        }
    }
}
