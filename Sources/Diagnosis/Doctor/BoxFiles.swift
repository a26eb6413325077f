// CDispatch and Glibc both export `stat`; the compiler may find its members in either, so both are imported.
import CDispatch
import FoundationEssentials
import Glibc
import WireText

/// Read-only access to the box's files.
package struct BoxFiles: Sendable {
    struct Facts: Equatable, Sendable {
        var mode: UInt32
        var user: UInt32
        var group: UInt32
        /// The device and inode numbers, which identify the file.
        var identity: [UInt64]
        var size: Int64
        /// The time of the last change, in seconds since 1970.
        var changed: Int64

        var isSocket: Bool { mode & S_IFMT == S_IFSOCK }
        var isFolder: Bool { mode & S_IFMT == S_IFDIR }
    }

    private let root: String

    /// Prepends `root` to every path.
    package init(root: String = "") {
        self.root = root
    }

    func place(_ path: String) -> String { root + path }

    /// The content of a file; nil if it cannot be read or is larger than 1 MiB.
    func text(_ path: String) -> String? {
        (try? SmallFile.read(place(path), limit: 1 << 20)).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// The names in a folder, sorted; empty if the folder cannot be read.
    func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: place(folder))) ?? []).sorted()
    }

    /// The kind of keywedge database at a path: `catalog` or `journal`; nil for any other file.
    ///
    /// The application ID is in the database's first page, which may be only in the write-ahead log until a checkpoint.
    func ownKind(_ path: String) -> String? {
        for file in [path + "-wal", path] {
            guard let stream = fopen(place(file), "r") else { continue }
            defer { fclose(stream) }
            var bytes = [UInt8](repeating: 0, count: 1 << 20)
            let count = fread(&bytes, 1, bytes.count, stream)
            let magic = Array("SQLite format 3\0".utf8)
            guard let start = bytes[..<count].firstRange(of: magic)?.lowerBound else { continue }
            switch String(decoding: bytes[start...].dropFirst(68).prefix(4), as: UTF8.self) {
            case "kwCa": return "catalog"
            case "kwJn": return "journal"
            default: continue
            }
        }
        return nil
    }

    /// A file's type, owner and permissions; nil if the file does not exist or this user lacks permission to see it.
    func facts(_ path: String) -> Facts? {
        var file = stat()
        guard stat(place(path), &file) == 0 else { return nil }
        return Facts(
            mode: file.st_mode, user: file.st_uid, group: file.st_gid,
            identity: [UInt64(file.st_dev), UInt64(file.st_ino)], size: Int64(file.st_size),
            changed: Int64(file.st_mtim.tv_sec))
    }

    /// The error number with which `stat` fails for a path; nil if it succeeds.
    func trouble(_ path: String) -> Int32? {
        var file = stat()
        return stat(place(path), &file) == 0 ? nil : errno
    }

    /// Whether this user lacks permission to read a file, or to enter its folder.
    func isHidden(_ path: String) -> Bool {
        faccessat(AT_FDCWD, place(path), R_OK, AT_EACCESS) != 0 && errno == EACCES
    }

    /// The size of a folder's file system and its free space for ordinary users, in bytes; nil if the call fails.
    func space(_ folder: String) -> (all: UInt64, free: UInt64)? {
        var disk = statvfs()
        guard statvfs(place(folder), &disk) == 0 else { return nil }
        let unit = UInt64(disk.f_frsize)
        return (UInt64(disk.f_blocks) * unit, UInt64(disk.f_bavail) * unit)
    }

    /// Whether a folder's file system is mounted read-only; if so, not even root can write to it.
    func isReadOnly(_ folder: String) -> Bool {
        var disk = statvfs()
        return statvfs(place(folder), &disk) == 0 && disk.f_flag & UInt(ST_RDONLY) != 0
    }
}

/// A user account whose file permissions `doctor` checks, such as the daemon's.
package struct BoxUser: Equatable, Sendable {
    enum Use: UInt32 {
        case reading = 4
        case writing = 2
        /// Traversing a folder, or running a program.
        case passing = 1
    }

    let name: String
    let number: UInt32
    let groups: Set<UInt32>
}

extension BoxUser {
    /// Looks up a user by name or by number; nil if there is no such user.
    package init?(named name: String) {
        guard let entry = getpwnam(name) ?? UInt32(name).flatMap({ getpwuid($0) }) else {
            return nil
        }
        let user = entry.pointee
        var count: Int32 = 256
        var list = [gid_t](repeating: 0, count: Int(count))
        let given = getgrouplist(user.pw_name, user.pw_gid, &list, &count)
        let groups = given < 0 ? [user.pw_gid] : Array(list.prefix(Int(count)))
        self.init(
            name: String(cString: user.pw_name), number: user.pw_uid, groups: Set(groups))
    }

    /// The user that the daemon runs as; nil if there is no such user.
    ///
    /// Without systemd, this process may itself run as that user. If so, its own groups count: a container may assign
    /// group numbers that `/etc/group` does not list.
    package static func daemon(of unit: UnitState?) -> BoxUser? {
        let user = BoxUser(named: unit?.user ?? "keywedge")
        guard unit == nil, let user, user.isThisProcess else { return user }
        var groups = [gid_t](repeating: 0, count: 256)
        let count = getgroups(Int32(groups.count), &groups)
        return BoxUser(
            name: String(user.number), number: user.number,
            groups: Set(groups.prefix(Int(max(0, count)))).union([getegid()]))
    }

    package var isThisProcess: Bool { number == geteuid() }

    /// Whether a file's permission bits allow this user to read, write or traverse (or run) it.
    ///
    /// Rule: path_resolution(7), "Permissions". Access control lists (acl(5)) are not considered.
    func may(_ use: Use, _ file: BoxFiles.Facts) -> Bool {
        if number == 0 { return use != .passing || file.isFolder || file.mode & 0o111 != 0 }
        if file.user == number { return file.mode >> 6 & use.rawValue != 0 }
        if groups.contains(file.group) { return file.mode >> 3 & use.rawValue != 0 }
        return file.mode & use.rawValue != 0
    }

    /// Finds what keeps this user from a file: the first folder on its path that the user may not enter, or the file.
    ///
    /// - Returns: The path of that folder or file; nil if the user may use the file, or if it does not exist.
    func obstacle(to use: Use, _ path: String, _ files: BoxFiles) -> String? {
        var folder = ""
        for step in path.split(separator: "/").dropLast() {
            folder += "/" + step
            guard let facts = files.facts(folder) else { return nil }
            if !may(.passing, facts) { return folder }
        }
        guard let facts = files.facts(path) else { return nil }
        return may(use, facts) ? nil : path
    }

    static func groupName(_ number: UInt32) -> String {
        getgrgid(number).map { String(cString: $0.pointee.gr_name) } ?? String(number)
    }

    static func userName(_ number: UInt32) -> String {
        getpwuid(number).map { String(cString: $0.pointee.pw_name) } ?? String(number)
    }
}
