import CLinux
import GRDB
import Glibc

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
