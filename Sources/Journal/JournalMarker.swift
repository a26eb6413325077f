import CLinux
import GRDB
import Glibc
import WireText

/// The file `JOURNAL.lock`, which locks a journal and reveals a restored copy.
///
/// It contains the epoch, an upper bound on the event numbers, and its own inode number and birth time. Each start
/// creates a new marker, so a copied marker contains the inode number and birth time of another file.
///
/// The lock ends with the daemon's process, even if a child process still has a descriptor of the marker.
final class JournalMarker: Sendable {
    /// The journal's epoch, and an upper bound on the numbers that the journal has assigned.
    typealias Content = (epoch: Epoch, reserved: UInt64)

    let descriptor: Int32
    private let path: String
    /// The content that was read when the marker was locked; nil if it was empty or cannot be trusted.
    let content: Content?
    /// Why the marker cannot be trusted, in words such as `is missing beside it`; otherwise nil.
    private let doubt: String?

    /// Locks a marker file; throws ``JournalError/inUse(path:)`` if another process has the lock.
    init(beside journal: String) throws {
        path = journal + ".lock"
        descriptor = try Self.lock(path, journal)
        (content, doubt) = Self.read(descriptor)
    }

    private init(_ descriptor: Int32, _ path: String, _ content: Content) {
        (self.descriptor, self.path, self.content, doubt) = (descriptor, path, content, nil)
    }

    deinit { close(descriptor) }

    /// Replaces the marker with a new one that is already locked.
    func renewed(for bounds: JournalBounds) throws -> JournalMarker {
        let new = path + ".new"
        try Folder.remove(new)
        let content = (bounds.epoch, bounds.reserved)
        let marker = JournalMarker(try Self.open(new, O_CREAT | O_EXCL), path, content)
        // Lock the marker before it gets the name under which other processes look for it.
        try Folder.require(Self.set(F_WRLCK, marker.descriptor), "fcntl", new)
        try marker.record(bounds.epoch, bounds.reserved)
        try Folder.move(new, to: path)
        try Folder.synchronize(of: path)
        return marker
    }

    /// Saves the epoch and `reserved`, an upper bound on the event numbers, to disk.
    func record(_ epoch: Epoch, _ reserved: UInt64) throws {
        // The content of a marker always has the same length, so this replaces all of it.
        let number = reserved.padded(to: 20)
        let text = "\(epoch) \(number) \(Self.identity(of: descriptor).joined(separator: " "))\n"
        let isWritten = pwrite(descriptor, text, text.utf8.count, 0) == text.utf8.count
        try Folder.require(isWritten && fdatasync(descriptor) == 0, "write", path)
    }

    /// Releases the lock, even if another reference to this marker still exists.
    func release() { _ = Self.set(F_UNLCK, descriptor) }

    // MARK: The file

    private static func lock(_ path: String, _ journal: String) throws -> Int32 {
        while true {
            let isNew = access(path, F_OK) != 0
            let descriptor = try open(path, O_CREAT)
            // An empty marker would look like that of an earlier keywedge.
            if isNew { _ = pwrite(descriptor, "none\n", 5, 0) }
            guard set(F_WRLCK, descriptor) else {
                defer { close(descriptor) }
                try Folder.require(errno == EAGAIN || errno == EACCES, "fcntl", path)
                throw JournalError.inUse(path: journal)
            }
            // The process that had the lock before may have replaced the file.
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
        try Folder.require(descriptor >= 0, "open", path)
        if flags & O_CREAT != 0 { FolderOwner.give(descriptor, at: path) }
        return descriptor
    }

    private static func set(_ type: Int32, _ descriptor: Int32) -> Bool {
        var range = flock(
            l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        return fcntl(descriptor, F_SETLK, &range) == 0
    }

    private static func read(_ descriptor: Int32) -> (Content?, doubt: String?) {
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count != 0 else { return (nil, nil) }
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        let parts = text.prefix { $0 != "\n" }.split(separator: " ").map(String.init)
        // No journal assigns numbers above this limit.
        guard parts.count == 4, let epoch = Epoch(parts[0]), let reserved = UInt64(parts[1]),
            reserved < 1 << 53
        else { return (nil, "is missing beside it") }
        // Inode numbers are reused, and some file systems renumber inodes at each mount. So compare them only if the
        // file system does not store the birth time.
        let identity = identity(of: descriptor)
        let place = [parts[3], identity[1]].contains { $0.hasPrefix("0.") } ? 0 : 1
        guard parts[2 + place] == identity[place] else { return (nil, "beside it is a copy, too") }
        return ((epoch, reserved), nil)
    }

    /// Returns the file's inode number and birth time, as `stat -c '%i %.9W'` prints them.
    private static func identity(of descriptor: Int32) -> [String] {
        var status = stat()
        let inode = fstat(descriptor, &status) == 0 ? status.st_ino : 0
        let time = clinux_birth(descriptor)
        return ["\(inode)", "\(time.tv_sec).\(time.tv_nsec.padded(to: 9))"]
    }

    // MARK: The journal

    /// Returns the highest event number that the journal may have assigned; nil if unknown.
    func highest(_ bounds: JournalBounds?) -> UInt64? {
        doubt == nil ? bounds.map { max($0.reserved, content?.reserved ?? 0) } : nil
    }

    /// Starts a new epoch if the journal was restored from a copy.
    ///
    /// Returns a report of the restoration, or of a replacement that a crash interrupted; nil if neither happened.
    func settle(_ database: inout JournalDatabase) throws -> JournalReplacement? {
        let bounds = database.bounds
        if let doubt, bounds.reserved > 0 {
            let name = path.split(separator: "/").last ?? ""
            return try restored(&database, "\(name) \(doubt)")
        }
        guard let content else { return nil }
        guard content.epoch == bounds.epoch else {
            guard try database.queue.read({ try EpochRow.isKnown(content.epoch, $0) }) else {
                return try restored(&database, "it knows nothing of the epoch \(content.epoch)")
            }
            return try report(
                database, content.epoch, "a crash interrupted its replacement",
                file: JournalExchange.damaged(beside: database.path).last)
        }
        guard content.reserved > bounds.reserved else { return nil }
        return try restored(
            &database, "it knows numbers up to \(bounds.reserved), of \(content.reserved)")
    }

    private func restored(
        _ database: inout JournalDatabase, _ reason: String
    ) throws -> JournalReplacement {
        // The time of day in microseconds is higher than any number that a journal reaches by counting.
        let highest = content?.reserved ?? UInt64(max(0, ClockReading.now.wall))
        let ended = content?.epoch ?? database.bounds.epoch
        try database.write { db, bounds in
            bounds.reserved = max(bounds.reserved, highest)
            for epoch in [bounds.epoch, ended] {
                try EpochRow(epoch: epoch, ended: bounds.reserved).write(db)
            }
            bounds.epoch = .new()
            let end = bounds.newest.sequence
            if end < bounds.reserved { try LostRange.add(end + 1...bounds.reserved, db) }
        }
        return try report(database, ended, reason, file: nil)
    }

    private func report(
        _ database: JournalDatabase, _ ended: Epoch, _ reason: String, file: String?
    ) throws -> JournalReplacement {
        JournalReplacement(
            reason: reason, file: file, taken: Int(database.bounds.count),
            holes: try database.queue.read { try LostRange.all($0).count }, ended: ended,
            epoch: database.bounds.epoch)
    }
}
