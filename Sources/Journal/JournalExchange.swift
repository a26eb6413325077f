import Events
import Foundation
import Glibc
import WireText

/// File operations in a journal's folder; they throw `SystemCallError`.
enum Folder {
    /// The suffixes of the files that SQLite creates beside a database: its log and the log's index.
    static let companions = ["-wal", "-shm"]

    static func require(_ isDone: Bool, _ operation: String, _ path: String) throws {
        if !isDone { throw SystemCallError(operation: operation, path: path, errno: errno) }
    }

    static func move(_ old: String, to new: String) throws {
        try require(rename(old, new) == 0 || errno == ENOENT, "rename", old)
    }

    static func remove(_ path: String) throws {
        try require(unlink(path) == 0 || errno == ENOENT, "unlink", path)
    }

    static func removeDatabase(_ path: String) throws {
        for ending in [""] + companions { try remove(path + ending) }
    }

    /// Waits until all renames in a journal's folder are on disk.
    static func synchronize(of path: String) throws {
        let folder = folder(of: path)
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try require(descriptor >= 0, "open", folder)
        defer { close(descriptor) }
        // Some file systems cannot synchronise folders.
        try require(fsync(descriptor) == 0 || errno == EINVAL, "fsync", folder)
    }

    /// Returns the sorted database paths that begin with `path` followed by `ending`.
    static func databases(beside path: String, _ ending: String) -> [String] {
        let folder = folder(of: path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let paths = names.map { path.hasPrefix(folder) ? folder + $0 : $0 }
        return paths.filter { name in
            name.hasPrefix(path + ending) && !companions.contains(where: name.hasSuffix)
        }.sorted()
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    }
}

/// The replacement of a journal with a new one, done so that a crash at any moment leaves one of the two intact.
///
/// 1. The new journal is written to `JOURNAL.new`, and its log is merged into it.
/// 2. The new journal is renamed to `JOURNAL.next-TIME`. From then on, the old one is never opened again.
/// 3. The old files are renamed to `JOURNAL.damaged-TIME`.
/// 4. The new journal is renamed to `JOURNAL`.
///
/// After a crash, the next start continues if step 2 was done; if not, it starts again.
struct JournalExchange {
    private static let keptCount = 3
    private static let nextEnding = ".next-"
    private static let damagedEnding = ".damaged-"
    private let path: String
    /// The `TIME` in the file names `JOURNAL.next-TIME` and `JOURNAL.damaged-TIME`.
    private let suffix: String

    init(of path: String, at time: EventTime) {
        self.path = path
        let digits = String(time.description.prefix(19).filter(\.isNumber))
        let suffixes = (1...).lazy.map { $0 == 1 ? digits : "\(digits)-\($0)" }
        suffix = suffixes.first { access(path + Self.damagedEnding + $0, F_OK) != 0 } ?? digits
    }

    /// Finds a journal replacement that a crash interrupted, using its file `JOURNAL.next-TIME`; nil without one.
    init?(unfinishedAt path: String) {
        guard let name = Folder.databases(beside: path, Self.nextEnding).first else { return nil }
        self.path = path
        suffix = String(name.dropFirst(path.count + Self.nextEnding.count))
    }

    static func successor(of path: String) -> String { path + ".new" }

    /// Returns the paths of the damaged journals that have been set aside, oldest first.
    static func damaged(beside path: String) -> [String] {
        Folder.databases(beside: path, damagedEnding)
    }

    var old: String { path + Self.damagedEnding + suffix }
    private var next: String { path + Self.nextEnding + suffix }

    /// The steps of the exchange, in order; each step can be repeated after a crash.
    var steps: [() throws -> Void] {
        let (path, old, next) = (path, old, next)
        let synchronize = { try Folder.synchronize(of: path) }
        // The database is renamed first: no program then opens it or creates a log beside it.
        let clearing = ([""] + Folder.companions).map { ending in
            { try Folder.move(path + ending, to: old + ending) }
        }
        return [{ try Folder.move(Self.successor(of: path), to: next) }, synchronize] + clearing
            + [synchronize, { try Folder.move(next, to: path) }, synchronize]
    }

    func run() throws {
        for step in steps.prefix(2) { try step() }
        try finish()
    }

    func finish() throws {
        for step in steps.dropFirst(2) { try step() }
        // Keep only a few damaged journals, so that a failing disk does not fill up with them.
        // Always keep the latest one, even if a wrong clock gave it an earlier time than the others.
        let others = Self.damaged(beside: path).filter { $0 != old }
        for damaged in others.dropLast(Self.keptCount - 1) { try Folder.removeDatabase(damaged) }
    }
}
