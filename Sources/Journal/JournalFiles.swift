import Events
import Glibc
import WireText

/// The files of a journal: the database, and SQLite's companions.
enum JournalFiles {
    /// A database's first bytes, and the place of its mark (SQLite's file format, section 1.3).
    private static let magic = Array("SQLite format 3\0".utf8)
    private static let markOffset = 68
    private static let writeVersionOffset = 18
    /// SQLite's endings for the names of its log and of the log's index.
    private static let companions = ["-wal", "-shm"]
    /// The number of damaged journals that are kept.
    private static let keptCount = 3

    /// Makes sure that a file is a journal, even a damaged one: other programs' files are never moved.
    ///
    /// - Throws: ``JournalError/notAJournal(path:)``; ``Damage`` if SQLite would read the file, but
    ///   refuse to write to it.
    static func check(_ path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw JournalError.notAJournal(path: path)
        }
        guard let start = start(of: path), !start.isEmpty else { return }
        let mark = (0..<4).map {
            UInt8(truncatingIfNeeded: JournalSchema.applicationID >> (24 - 8 * $0))
        }
        let isDatabase = start.starts(with: magic)
        let isMarked = start.dropFirst(markOffset).prefix(4).elementsEqual(mark)
        let isZeroed = start.allSatisfy { $0 == 0 }
        guard isDatabase || isMarked || isZeroed else {
            throw JournalError.notAJournal(path: path)
        }
        if isDatabase, start.count > writeVersionOffset, start[writeVersionOffset] > 2 {
            throw Damage("its header has changed")
        }
    }

    /// Refuses a file of another program, and leaves a damaged journal to ``check(_:)``.
    ///
    /// - Throws: ``JournalError/notAJournal(path:)``.
    static func refuseOthers(_ path: String) throws {
        do {
            try check(path)
        } catch is Damage {}
    }

    /// The first hundred bytes; nil if they cannot be read.
    private static func start(of path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return count < 0 ? nil : Array(bytes[..<count])
    }

    /// The path at which the replacement of a journal is made.
    static func successor(of path: String) -> String { path + ".new" }

    /// Removes a journal.
    static func remove(_ path: String) {
        for name in [path] + companions.map({ path + $0 }) { unlink(name) }
    }

    /// Renames a journal after the time, and returns the new name; one of the same second stays.
    ///
    /// - Returns: The new name.
    /// - Throws: `SystemCallError`.
    static func putAside(_ path: String, at time: EventTime) throws -> String {
        let digits = time.description.prefix(19).filter(\.isNumber)
        let names = (1...).lazy.map { "\(path).damaged-\(digits)" + ($0 == 1 ? "" : "-\($0)") }
        guard let aside = names.first(where: { access($0, F_OK) != 0 }) else { return path }
        for companion in companions { try move(path + companion, to: aside + companion) }
        try move(path, to: aside)
        forgetOldest(path)
        return aside
    }

    /// Puts a finished successor where the journal was.
    ///
    /// - Throws: `SystemCallError`.
    static func moveIn(_ path: String) throws {
        try move(successor(of: path), to: path)
        try synchronizeFolder(of: path)
    }

    /// Finishes what a crash interrupted between ``putAside(_:at:)`` and ``moveIn(_:)``.
    static func finishReplacement(_ path: String) throws {
        guard access(path, F_OK) != 0, access(successor(of: path), F_OK) == 0 else { return }
        try moveIn(path)
    }

    private static func move(_ old: String, to new: String) throws {
        guard rename(old, new) == 0 || errno == ENOENT else {
            throw SystemCallError(operation: "rename", path: old, errno: errno)
        }
    }

    private static func synchronizeFolder(of path: String) throws {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SystemCallError(operation: "open", path: folder, errno: errno)
        }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw SystemCallError(operation: "fsync", path: folder, errno: errno)
        }
    }

    /// Removes the oldest damaged journals, so that a failing disk does not fill up.
    private static func forgetOldest(_ path: String) {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? "./"
        let prefix = (slash.map { String(path[path.index(after: $0)...]) } ?? path) + ".damaged-"
        guard let handle = opendir(folder) else { return }
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
        for name in names.sorted().dropLast(keptCount) { remove(folder + name) }
    }
}
