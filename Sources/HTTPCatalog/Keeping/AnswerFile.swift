import Crypto
import Foundation
import GRDB
import Synchronization
import WireText

/// A store that keeps answers in an SQLite file, so that they survive a restart while a catalog is unreachable.
///
/// If the file cannot be read or written, lookups work without it, and each reason is reported only once. A damaged
/// file is renamed and replaced. Each row has a checksum, so that a flipped bit never becomes a wrong price.
package final class AnswerFile: Sendable {
    /// The default maximum number of answers, which take about 100 MB.
    package static let standardCapacity = 200_000

    /// The file's secret key, which is used to compute checksums and each ``AnswerKey/owner``.
    let key: SymmetricKey

    private let path: String
    private let capacity: Int
    private let report: @Sendable (String) -> Void
    private let state: Mutex<State>

    private struct State {
        /// The open file; nil if a damaged file could not be replaced.
        var queue: DatabaseQueue?
        var reported: Set<String> = []
        var savesUntilPruning = 0
    }

    /// Opens or creates a file; `report` receives a sentence for each failure that is not thrown.
    package init(
        path: String, capacity: Int = standardCapacity, report: @escaping @Sendable (String) -> Void
    ) throws(AnswerFileError) {
        (self.path, self.capacity, self.report) = (path, capacity, report)
        let opened: Opened
        do throws(AnswerFileError) {
            opened = try Self.open(path, key: nil)
        } catch {
            guard error.isDamage else { throw error }
            opened = try Self.beginAnew(path, key: nil, after: error, report)
        }
        key = opened.key
        state = Mutex(State(queue: opened.queue))
    }

    /// Returns the stored answer, if any, and the time when it was stored, in seconds since 1970.
    func answer(for key: AnswerKey) -> (answer: CachedAnswer, storedAt: Int64)? {
        attempt { db, _ in
            let statement = try db.cachedStatement(
                sql: "SELECT answer, stored_at, checksum FROM answer WHERE owner = ? AND codes = ?")
            guard let row = try Row.fetchOne(statement, arguments: [key.owner, key.text]) else {
                return nil
            }
            // In a damaged file, a value may have another type, and a cast would crash.
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

    /// Replaces the stored answer; if the new one has no product, only removes the old one.
    func save(_ answer: CachedAnswer, for key: AnswerKey, storedAt: Int64) {
        guard let text = answer.json else { return remove(key) }
        attempt { db, state in
            try db.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO answer (owner, codes, answer, stored_at, checksum)
                    VALUES (?, ?, ?, ?, ?)
                    """
            ).execute(
                arguments: [key.owner, key.text, text, storedAt, checksum(key, text, storedAt)])
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

    private func delete(_ key: AnswerKey, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM answer WHERE owner = ? AND codes = ?")
            .execute(arguments: [key.owner, key.text])
    }

    private func checksum(_ key: AnswerKey, _ text: String, _ storedAt: Int64) -> Data {
        let row = "\(key.owner)\n\(key.text)\n\(storedAt)\n\(text)"
        return Data(
            HMAC<SHA256>.authenticationCode(for: Data(row.utf8), using: self.key).prefix(16))
    }

    /// Runs `body` on the file, and once more after replacing a damaged file; returns nil on failure.
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
                    guard error.isDamage else {
                        let isNew = state.reported.insert(error.description).inserted
                        if isNew { report(error.description) }
                        break
                    }
                    try? queue.close()
                    state.queue = replacement(after: error)
                }
            }
            return nil
        }
    }

    /// Replaces a damaged file with an empty one that has the same secret key; nil on failure.
    private func replacement(after damage: AnswerFileError) -> DatabaseQueue? {
        do throws(AnswerFileError) {
            return try Self.beginAnew(path, key: key, after: damage, report).queue
        } catch {
            report("\(damage) Answers are kept in memory only: \(error)")
            return nil
        }
    }
}

extension AnswerFile {
    private typealias Opened = (queue: DatabaseQueue, key: SymmetricKey)

    private static func open(_ path: String, key: SymmetricKey?) throws(AnswerFileError) -> Opened {
        do {
            var configuration = Configuration()
            configuration.busyMode = .timeout(0.05)
            FolderOwner.createFile(path, mode: 0o644)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            return (queue, try queue.writeWithoutTransaction { try AnswerSchema.prepare($0, key) })
        } catch {
            throw AnswerFileError(error, path: path)
        }
    }

    /// Renames a damaged file and its log, deletes files renamed earlier, and creates a new file.
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
            "\(damage) It was put aside, with \".damaged\" after its name, and replaced by a new one."
        )
        return opened
    }
}

package struct AnswerFileError: Error, Equatable, CustomStringConvertible {
    /// Whether the file is damaged; if so, replacing it solves the problem.
    let isDamage: Bool
    package let description: String

    fileprivate init(_ error: any Error, path: String) {
        let reason: String
        switch error {
        case AnswerSchema.Problem.notWhole: (isDamage, reason) = (true, "its tables are not whole")
        case AnswerSchema.Problem.otherDatabase:
            (isDamage, reason) = (false, "it is an SQLite database of something else")
        case let error as DatabaseError:
            isDamage = Self.isDamage(error, path)
            reason = "\(error.message ?? "unknown") (SQLite \(error.extendedResultCode.rawValue))"
        default: (isDamage, reason) = (false, "\(error)")
        }
        description =
            "The answers file \(path.quoted(upTo: .max)) "
            + "\(isDamage ? "is damaged" : "cannot be used"): \(reason)."
    }

    private static func isDamage(_ error: DatabaseError, _ path: String) -> Bool {
        switch error.resultCode {
        // Our own statements are valid, so an error in one of them means that the schema is damaged.
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_FORMAT, .SQLITE_MISMATCH: true
        // A wrong byte in the header makes SQLite refuse to write to the file.
        case .SQLITE_READONLY: FileManager.default.isWritableFile(atPath: path)
        default: false
        }
    }
}
