import CLinux
import Glibc
import WireText

/// Keeps a second process from writing to a journal, and holds its ``JournalWitness``.
///
/// The lock is on a file beside the journal. It ends with the process, even if a command that a killed daemon was
/// about to start still has its descriptor.
final class JournalLock: Sendable {
    /// What the file said when it was locked.
    enum Found: Equatable {
        /// An earlier keywedge made the file, which says nothing.
        case nothing
        case witness(JournalWitness)
        /// A copy of a witness.
        case copy
        /// There was no file, or one that makes no sense.
        case missing
    }

    let descriptor: Int32
    /// The path of the file.
    let name: String
    let found: Found

    /// Locks a journal.
    ///
    /// - Throws: ``JournalError/inUse(path:)``; `SystemCallError` if the file cannot be made.
    init(on path: String) throws {
        name = path + ".lock"
        descriptor = try Self.locked(name, path)
        found = Self.read(descriptor)
    }

    private init(_ descriptor: Int32, name: String, holding witness: JournalWitness) {
        self.descriptor = descriptor
        self.name = name
        found = .witness(witness)
    }

    /// Puts a new file with a witness in the place of this one, and locks it.
    ///
    /// - Throws: `SystemCallError`.
    func renewed(with witness: JournalWitness) throws -> JournalLock {
        let new = name + ".new"
        try JournalFiles.remove(new)
        let lock = JournalLock(
            try Self.open(new, O_CREAT | O_EXCL), name: name, holding: witness)
        // It is locked before it has the name under which others look for it.
        guard Self.set(F_WRLCK, lock.descriptor) else {
            throw SystemCallError(operation: "fcntl", path: new, errno: errno)
        }
        try lock.record(witness)
        try JournalFiles.move(new, to: name)
        try JournalFiles.synchronizeFolder(of: name)
        return lock
    }

    /// Writes the witness; it is on the disk when this returns.
    ///
    /// - Throws: `SystemCallError`.
    func record(_ witness: JournalWitness) throws {
        try Self.write(witness.line(in: FileIdentity(of: descriptor)), to: descriptor, name)
    }

    /// The highest number that a damaged journal may have given; nil if it is unknown.
    ///
    /// `readable` is the highest in the part of it that can be read.
    func highest(_ readable: UInt64?) -> UInt64? {
        switch found {
        case .nothing: readable
        case .witness(let witness): readable.map { max($0, witness.reserved) }
        case .copy, .missing: nil
        }
    }

    /// Releases the lock, also if another copy of this value still exists.
    func release() { _ = Self.set(F_UNLCK, descriptor) }

    private static func locked(_ name: String, _ path: String) throws -> Int32 {
        while true {
            let descriptor = try openOrMake(name)
            guard set(F_WRLCK, descriptor) else {
                let number = errno
                close(descriptor)
                guard number == EAGAIN || number == EACCES else {
                    throw SystemCallError(operation: "fcntl", path: name, errno: number)
                }
                throw JournalError.inUse(path: path)
            }
            // The process that had the lock before may have put a new file there.
            var ours = stat()
            var named = stat()
            if fstat(descriptor, &ours) == 0, stat(name, &named) == 0, ours.st_ino == named.st_ino {
                return descriptor
            }
            close(descriptor)
        }
    }

    private static func openOrMake(_ name: String) throws -> Int32 {
        let isNew = access(name, F_OK) != 0
        let descriptor = try open(name, O_CREAT)
        // An empty one would be an earlier keywedge's.
        if isNew { _ = pwrite(descriptor, "none\n", 5, 0) }
        return descriptor
    }

    private static func open(_ name: String, _ flags: Int32) throws -> Int32 {
        let descriptor = Glibc.open(name, O_RDWR | O_CLOEXEC | flags, 0o600)
        guard descriptor >= 0 else {
            throw SystemCallError(operation: "open", path: name, errno: errno)
        }
        return descriptor
    }

    private static func read(_ descriptor: Int32) -> Found {
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count != 0 else { return .nothing }
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        let line = text.prefix { $0 != "\n" }
        guard let witness = JournalWitness(line), let file = FileIdentity(line) else {
            return .missing
        }
        return file == FileIdentity(of: descriptor) ? .witness(witness) : .copy
    }

    private static func write(_ text: String, to descriptor: Int32, _ name: String) throws {
        guard pwrite(descriptor, text, text.utf8.count, 0) == text.utf8.count,
            fdatasync(descriptor) == 0
        else { throw SystemCallError(operation: "write", path: name, errno: errno) }
    }

    private static func set(_ type: Int32, _ descriptor: Int32) -> Bool {
        var range = flock(
            l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        return fcntl(descriptor, F_SETLK, &range) == 0
    }

    deinit { close(descriptor) }
}

/// What the file beside a journal says of it, so that a journal restored from a backup is recognised.
///
/// A daemon makes that file anew at each start and writes into it which file it is. No program can restore that: a
/// witness that was copied is recognised, too, and so is one whose content was written over a newer one.
struct JournalWitness: Equatable {
    let epoch: Epoch
    /// No event of the epoch has a number above this one.
    let reserved: UInt64

    init(epoch: Epoch, reserved: UInt64) {
        self.epoch = epoch
        self.reserved = reserved
    }

    /// Reads the line of a witness; nil if the number is above any that a journal gives.
    init?(_ line: Substring) {
        let parts = line.split(separator: " ")
        guard parts.count == 4, let epoch = Epoch(String(parts[0])),
            let reserved = UInt64(parts[1]), reserved < 1 << 53
        else { return nil }
        self.epoch = epoch
        self.reserved = reserved
    }

    /// The line for a file, always of the same length in that file.
    func line(in file: FileIdentity) -> String {
        let digits = String(reserved)
        return "\(epoch) \(String(repeating: "0", count: 20 - digits.count))\(digits) \(file)\n"
    }
}

/// What tells a file from its copies.
struct FileIdentity: Equatable, CustomStringConvertible {
    private let inode: UInt64
    /// When the file was made; 0 if the file system does not keep it.
    private let birth: String

    /// The identity of an open file.
    init(of descriptor: Int32) {
        var status = stat()
        inode = fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : 0
        let time = clinux_birth(descriptor)
        let nanoseconds = String(time.tv_nsec)
        birth =
            "\(time.tv_sec).\(String(repeating: "0", count: 9 - nanoseconds.count))\(nanoseconds)"
    }

    /// Reads an identity from the end of a witness's line.
    init?(_ line: Substring) {
        let parts = line.split(separator: " ")
        guard parts.count == 4, let inode = UInt64(parts[2]) else { return nil }
        self.inode = inode
        birth = String(parts[3])
    }

    /// The inode and the time, as `stat -c '%i %.9W'` writes them.
    var description: String { "\(inode) \(birth)" }

    /// Inodes are reused, and some file systems count them anew at each mount: the time decides if there is one.
    static func == (one: FileIdentity, other: FileIdentity) -> Bool {
        let areTimesKnown = !one.birth.hasPrefix("0.") && !other.birth.hasPrefix("0.")
        return areTimesKnown ? one.birth == other.birth : one.inode == other.inode
    }
}
