import Events
import Glibc
import WireText

/// Changes of a folder, and SQLite's companions of a database.
enum Folder {
    /// SQLite's endings for the names of its log and of the log's index.
    static let companions = ["-wal", "-shm"]

    /// Renames a file, if it exists.
    ///
    /// - Throws: `SystemCallError`.
    static func move(_ old: String, to new: String) throws {
        guard rename(old, new) == 0 || errno == ENOENT else {
            throw SystemCallError(operation: "rename", path: old, errno: errno)
        }
    }

    /// Removes a file, if it exists.
    ///
    /// - Throws: `SystemCallError`.
    static func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw SystemCallError(operation: "unlink", path: path, errno: errno)
        }
    }

    /// Removes a database and its companions, if they exist.
    ///
    /// - Throws: `SystemCallError`.
    static func removeDatabase(_ path: String) throws {
        for ending in [""] + companions { try remove(path + ending) }
    }

    /// Waits until the names in a journal's folder are on the disk.
    ///
    /// - Throws: `SystemCallError`.
    static func synchronize(of path: String) throws {
        let folder = folder(of: path)
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SystemCallError(operation: "open", path: folder, errno: errno)
        }
        defer { close(descriptor) }
        // Some file systems cannot synchronise a folder.
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw SystemCallError(operation: "fsync", path: folder, errno: errno)
        }
    }

    /// The databases whose names begin with a journal's and an ending, sorted by name.
    static func databases(beside path: String, _ ending: String) -> [String] {
        let folder = folder(of: path)
        let prefix = path.dropFirst(path.hasPrefix(folder) ? folder.count : 0) + ending
        guard let handle = opendir(folder) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(prefix), !companions.contains(where: name.hasSuffix) {
                names.append(name)
            }
        }
        return names.sorted().map { path.hasPrefix(folder) ? folder + $0 : $0 }
    }

    /// The folder, with a slash at its end.
    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    }
}

/// Puts a new journal in the place of another, so that a crash at any moment leaves one of the two, whole.
///
/// 1. The new journal is written as `.new`, and its log is folded into it.
/// 2. It is renamed to `.next-TIME`. From here on it is the journal: no start opens the old one again.
/// 3. The old files are renamed to `.damaged-TIME`.
/// 4. The new journal takes the name of the journal.
///
/// After a crash, the next start finishes what it finds from step 2 on, and begins anew before that.
struct JournalExchange {
    /// One change of the folder, which may be made twice.
    enum Step: Equatable {
        case move(String, to: String)
        case synchronize
    }

    /// How many damaged journals are kept.
    private static let keptCount = 3
    private static let nextEnding = ".next-"
    private static let damagedEnding = ".damaged-"

    private let path: String
    /// The time in the names; two of the same second differ by a number.
    private let suffix: String

    /// An exchange that begins.
    init(of path: String, at time: EventTime) {
        self.path = path
        let digits = String(time.description.prefix(19).filter(\.isNumber))
        let suffixes = (1...).lazy.map { $0 == 1 ? digits : "\(digits)-\($0)" }
        suffix =
            suffixes.first { access(path + Self.damagedEnding + $0, F_OK) != 0 } ?? digits
    }

    /// The exchange that a crash interrupted after step 2; nil if none was.
    init?(unfinishedAt path: String) {
        let names = Folder.databases(beside: path, Self.nextEnding)
        guard let name = names.first else { return nil }
        self.path = path
        suffix = String(name.dropFirst(path.count + Self.nextEnding.count))
    }

    /// The path at which a new journal is written.
    static func successor(of path: String) -> String { path + ".new" }

    /// Removes a new journal that was not finished.
    static func removeSuccessor(of path: String) throws {
        try Folder.removeDatabase(successor(of: path))
    }

    /// The damaged journals that are kept, the oldest first.
    static func damaged(beside path: String) -> [String] {
        Folder.databases(beside: path, damagedEnding)
    }

    /// The new name of the old journal.
    var old: String { path + Self.damagedEnding + suffix }

    private var next: String { path + Self.nextEnding + suffix }

    /// The steps that make the new journal count.
    var firstSteps: [Step] { [.move(Self.successor(of: path), to: next), .synchronize] }

    /// The steps that are left then.
    var lastSteps: [Step] {
        // The database first: without its name nobody opens it, or makes a log for it anew.
        let endings = [""] + Folder.companions
        let clearing = endings.map { Step.move(path + $0, to: old + $0) }
        return clearing + [.synchronize, .move(next, to: path), .synchronize]
    }

    /// Makes the exchange.
    ///
    /// - Throws: `SystemCallError`.
    func run() throws {
        for step in firstSteps { try make(step) }
        try finish()
    }

    /// Makes the steps after the new journal counts.
    ///
    /// - Throws: `SystemCallError`.
    func finish() throws {
        for step in lastSteps { try make(step) }
        // A failing disk must not fill up.
        for damaged in Self.damaged(beside: path).dropLast(Self.keptCount) {
            try Folder.removeDatabase(damaged)
        }
    }

    /// Removes the old journal, which is not needed any more.
    ///
    /// - Throws: `SystemCallError`.
    func removeOld() throws { try Folder.removeDatabase(old) }

    /// Makes one step.
    ///
    /// - Throws: `SystemCallError`.
    func make(_ step: Step) throws {
        switch step {
        case .move(let name, let new): try Folder.move(name, to: new)
        case .synchronize: try Folder.synchronize(of: path)
        }
    }
}
