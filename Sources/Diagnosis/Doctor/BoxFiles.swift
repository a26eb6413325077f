// Import both CDispatch and Glibc: both export `stat`, and the compiler may look for its members in either.
import CDispatch
import FoundationEssentials
import Glibc
import WireText

/// Read-only access to the files of this computer or, in tests, of a folder that replaces its root.
package struct BoxFiles: Sendable {
    struct Facts: Sendable {
        fileprivate let status: stat

        var mode: UInt32 { status.st_mode }
        var user: UInt32 { status.st_uid }
        var group: UInt32 { status.st_gid }
        /// The device and inode numbers, which identify the file.
        var identity: [UInt64] { [UInt64(status.st_dev), UInt64(status.st_ino)] }
        var size: Int64 { Int64(status.st_size) }
        /// The time of the last change to the file's content, in seconds since 1970.
        var changed: Int64 { Int64(status.st_mtim.tv_sec) }
        var isSocket: Bool { mode & S_IFMT == S_IFSOCK }
        var isFolder: Bool { mode & S_IFMT == S_IFDIR }
    }

    private let root: String

    /// Creates an accessor that prepends `root` to every path.
    package init(root: String = "") {
        self.root = root
    }

    func place(_ path: String) -> String { root + path }

    /// Returns the content of a file; nil if it cannot be read or is larger than 1 MiB.
    func text(_ path: String) -> String? {
        (try? SmallFile.read(place(path), limit: 1 << 20)).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Returns the names in a folder, sorted; empty if the folder cannot be read.
    func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: place(folder))) ?? []).sorted()
    }

    /// Returns a file's type, owner and permissions; nil if it does not exist or this user may not see it.
    func facts(_ path: String) -> Facts? {
        var file = stat()
        return stat(place(path), &file) == 0 ? Facts(status: file) : nil
    }

    /// Whether this user lacks permission to read a file, or to enter its folder.
    func isHidden(_ path: String) -> Bool {
        faccessat(AT_FDCWD, place(path), R_OK, AT_EACCESS) != 0 && errno == EACCES
    }

    /// Returns the free space on a folder's file system, in bytes; nil if unknown.
    func space(_ folder: String) -> UInt64? {
        var disk = statvfs()
        guard statvfs(place(folder), &disk) == 0 else { return nil }
        return UInt64(disk.f_bavail) * UInt64(disk.f_frsize)
    }

    /// Whether a folder's file system is mounted read-only, so that not even root can write to it.
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
        /// Permission to traverse a folder or run a program.
        case passing = 1

        var verb: String { [.reading: "read", .writing: "write to"][self] ?? "run" }
    }

    let name: String
    let number: UInt32
    let groups: Set<UInt32>
}

extension BoxUser {
    /// Returns the user that the daemon runs as; nil if the system does not know this user.
    package static func daemon(of unit: UnitState?) -> BoxUser? {
        let name = unit?.user ?? "keywedge"
        guard let entry = getpwnam(name) ?? UInt32(name).flatMap({ getpwuid($0) }) else {
            return nil
        }
        let user = entry.pointee
        // In a container, the process may have groups that /etc/group does not list.
        let isThisProcess = unit == nil && user.pw_uid == geteuid()
        var groups = [gid_t](repeating: 0, count: 256)
        var count = Int32(groups.count)
        if isThisProcess {
            count = getgroups(count, &groups)
        } else if getgrouplist(user.pw_name, user.pw_gid, &groups, &count) < 0 {
            count = 0
        }
        return BoxUser(
            name: isThisProcess ? String(user.pw_uid) : String(cString: user.pw_name),
            number: user.pw_uid,
            groups: Set(groups.prefix(Int(max(0, count)))).union([
                isThisProcess ? getegid() : user.pw_gid
            ]))
    }

    package var isThisProcess: Bool { number == geteuid() }

    /// Whether this user may use a file, by the rules of path_resolution(7); ACLs are ignored.
    func may(_ use: Use, _ file: BoxFiles.Facts) -> Bool {
        if number == 0 { return use != .passing || file.isFolder || file.mode & 0o111 != 0 }
        if file.user == number { return file.mode >> 6 & use.rawValue != 0 }
        if groups.contains(file.group) { return file.mode >> 3 & use.rawValue != 0 }
        return file.mode & use.rawValue != 0
    }

    /// Returns the first part of `path` that this user may not use; nil if none is found.
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
