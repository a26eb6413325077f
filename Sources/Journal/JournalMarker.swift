import CLinux
import GRDB
import Glibc
import WireText

/// The file beside a journal: its lock keeps a second process from writing to the journal, and its
/// content shows whether the journal was restored from a copy.
///
/// The content says which numbers the journal gave, and which file it is in. Each start makes the file
/// anew, so a content that was copied, or written over a newer one, names another file.
///
/// The lock ends with the process, even if a command that a killed daemon was about to start still has
/// its descriptor.
final class JournalMarker: Sendable {
    struct Content: Equatable {
        let epoch: Epoch
        /// No event of the epoch has a number above this one.
        let reserved: UInt64
    }

    /// What the file said when it was locked.
    enum Found: Equatable {
        /// An earlier keywedge made the file, which says nothing.
        case nothing
        case content(Content)
        /// A copy of a marker.
        case copy
        /// There was no file, or one that makes no sense.
        case missing
    }

    let descriptor: Int32
    private let path: String
    let found: Found

    /// Locks a journal.
    ///
    /// - Throws: ``JournalError/inUse(path:)``; `SystemCallError` if the file cannot be made.
    init(beside journal: String) throws {
        path = journal + ".lock"
        descriptor = try Self.lock(path, journal)
        found = Self.read(descriptor)
    }

    private init(_ descriptor: Int32, _ path: String, _ content: Content) {
        self.descriptor = descriptor
        self.path = path
        found = .content(content)
    }

    /// Puts a new file in the place of this one, and locks it.
    ///
    /// - Throws: `SystemCallError`.
    func renewed(with content: Content) throws -> JournalMarker {
        let new = path + ".new"
        try Folder.remove(new)
        let marker = JournalMarker(try Self.open(new, O_CREAT | O_EXCL), path, content)
        // It is locked before it has the name under which others look for it.
        guard Self.set(F_WRLCK, marker.descriptor) else {
            throw SystemCallError(operation: "fcntl", path: new, errno: errno)
        }
        try marker.record(content)
        try Folder.move(new, to: path)
        try Folder.synchronize(of: path)
        return marker
    }

    /// Writes the content; it is on the disk when this returns.
    ///
    /// - Throws: `SystemCallError`.
    func record(_ content: Content) throws {
        // Always of the same length in one file.
        let digits = String(content.reserved)
        let number = String(repeating: "0", count: 20 - digits.count) + digits
        let identity = Self.identity(of: descriptor).joined(separator: " ")
        let text = "\(content.epoch) \(number) \(identity)\n"
        guard pwrite(descriptor, text, text.utf8.count, 0) == text.utf8.count,
            fdatasync(descriptor) == 0
        else { throw SystemCallError(operation: "write", path: path, errno: errno) }
    }

    /// The highest number that a damaged journal may have given; nil if it is unknown.
    func highest(_ bounds: JournalBounds?) -> UInt64? {
        switch found {
        case .nothing: bounds?.reserved
        case .content(let content): bounds.map { max($0.reserved, content.reserved) }
        case .copy, .missing: nil
        }
    }

    /// Releases the lock, also if another reference to this marker still exists.
    func release() { _ = Self.set(F_UNLCK, descriptor) }

    deinit { close(descriptor) }

    // MARK: System calls

    private static func lock(_ path: String, _ journal: String) throws -> Int32 {
        while true {
            let isNew = access(path, F_OK) != 0
            let descriptor = try open(path, O_CREAT)
            // An empty one would be an earlier keywedge's.
            if isNew { _ = pwrite(descriptor, "none\n", 5, 0) }
            guard set(F_WRLCK, descriptor) else {
                let number = errno
                close(descriptor)
                guard number == EAGAIN || number == EACCES else {
                    throw SystemCallError(operation: "fcntl", path: path, errno: number)
                }
                throw JournalError.inUse(path: journal)
            }
            // The process that had the lock before may have put a new file there.
            var ours = stat()
            var named = stat()
            if fstat(descriptor, &ours) == 0, stat(path, &named) == 0, ours.st_ino == named.st_ino {
                return descriptor
            }
            close(descriptor)
        }
    }

    private static func open(_ path: String, _ flags: Int32) throws -> Int32 {
        let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | flags, 0o600)
        guard descriptor >= 0 else {
            throw SystemCallError(operation: "open", path: path, errno: errno)
        }
        return descriptor
    }

    private static func read(_ descriptor: Int32) -> Found {
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count != 0 else { return .nothing }
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        let parts = text.prefix { $0 != "\n" }.split(separator: " ").map(String.init)
        // No journal gives a number above this bound.
        guard parts.count == 4, let epoch = Epoch(parts[0]), let reserved = UInt64(parts[1]),
            reserved < 1 << 53, UInt64(parts[2]) != nil
        else { return .missing }
        let isOfThisFile = isSame(Array(parts[2...]), identity(of: descriptor))
        return isOfThisFile ? .content(Content(epoch: epoch, reserved: reserved)) : .copy
    }

    /// The inode and the time of birth, as `stat -c '%i %.9W'` writes them.
    private static func identity(of descriptor: Int32) -> [String] {
        var status = stat()
        let inode = fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : 0
        let time = clinux_birth(descriptor)
        let digits = String(time.tv_nsec)
        return [
            "\(inode)",
            "\(time.tv_sec)." + String(repeating: "0", count: 9 - digits.count) + digits,
        ]
    }

    /// Inodes are reused, and some file systems count them anew at each mount: the time decides, unless
    /// the file system does not keep it.
    private static func isSame(_ one: [String], _ other: [String]) -> Bool {
        let isTimeKnown = ![one, other].contains { $0[1].hasPrefix("0.") }
        return isTimeKnown ? one[1] == other[1] : one[0] == other[0]
    }

    private static func set(_ type: Int32, _ descriptor: Int32) -> Bool {
        var range = flock(
            l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        return fcntl(descriptor, F_SETLK, &range) == 0
    }
}

extension JournalMarker {
    /// Where a journal comes from.
    private enum Origin {
        /// It is the one that was here.
        case same
        /// It replaced a damaged one, of this epoch, and a crash kept the daemon from reporting that.
        case replaced(Epoch)
        /// It was restored from a copy. The content is that of the journal before it; nil if nobody knows
        /// which numbers that one gave.
        case restored(reason: String, Content?)
    }

    private func origin(of bounds: JournalBounds, _ db: Database) throws -> Origin {
        let name = path.split(separator: "/").last ?? ""
        switch found {
        case .missing where bounds.reserved > 0:
            return .restored(reason: "\(name) is missing beside it", nil)
        case .nothing, .missing: return .same
        case .copy: return .restored(reason: "\(name) beside it is a copy, too", nil)
        case .content(let content) where content.epoch != bounds.epoch:
            guard try !EpochRow.isKnown(content.epoch, db) else { return .replaced(content.epoch) }
            let reason = "it knows nothing of the epoch \(content.epoch)"
            return .restored(reason: reason, content)
        case .content(let content) where content.reserved > bounds.reserved:
            let reason = "it knows numbers up to \(bounds.reserved), of \(content.reserved)"
            return .restored(reason: reason, content)
        case .content: return .same
        }
    }

    /// Begins a new epoch in a journal that was restored from a copy.
    ///
    /// - Returns: What is to be reported.
    /// - Throws: ``JournalError``.
    func settle(_ database: inout JournalDatabase) throws -> JournalReplacement? {
        let bounds = database.bounds
        switch try database.read({ try origin(of: bounds, $0) }) {
        case .same: return nil
        case .replaced(let ended):
            return try report(
                database, ended, reason: "a crash interrupted its replacement",
                file: JournalExchange.damaged(beside: database.path).last)
        case .restored(let reason, let content):
            // The time of day in microseconds is above every number that was counted.
            let highest = content?.reserved ?? UInt64(max(0, JournalClock.Reading.now.wall))
            let ended = content?.epoch ?? bounds.epoch
            try database.write { db, bounds in
                bounds.reserved = max(bounds.reserved, highest)
                for epoch in [bounds.epoch, ended] {
                    try EpochRow(epoch, ended: bounds.reserved).write(db)
                }
                bounds.epoch = .new()
                let end = bounds.newest.sequence
                if end < bounds.reserved { try LostRange.add(end + 1...bounds.reserved, db) }
            }
            return try report(database, ended, reason: reason, file: nil)
        }
    }

    private func report(
        _ database: JournalDatabase, _ ended: Epoch, reason: String, file: String?
    ) throws -> JournalReplacement {
        JournalReplacement(
            reason: reason, file: file, taken: Int(database.bounds.count),
            holes: try database.read { try LostRange.all($0).count }, ended: ended,
            epoch: database.bounds.epoch)
    }
}
