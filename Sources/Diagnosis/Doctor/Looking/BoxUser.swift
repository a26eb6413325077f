import Glibc

/// A user of the box, as the daemon is one, and what the kernel lets it do with files.
package struct BoxUser: Equatable, Sendable {
    /// What somebody does with a file.
    enum Use: UInt32 {
        case reading = 4
        case writing = 2
        /// Going through a folder, or running a program.
        case passing = 1
    }

    let name: String
    let number: UInt32
    let groups: Set<UInt32>

    init(name: String, number: UInt32, groups: Set<UInt32>) {
        self.name = name
        self.number = number
        self.groups = groups
    }

    /// Looks a user up, by name or by number.
    ///
    /// - Parameter name: The name.
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

    /// Whether the user may do something with a file.
    ///
    /// Rule: path_resolution(7), "Permissions"; lists of other rights (acl(5)) are not looked at.
    func may(_ use: Use, _ file: BoxFiles.Facts) -> Bool {
        if number == 0 { return use != .passing || file.isFolder || file.mode & 0o111 != 0 }
        if file.user == number { return file.mode >> 6 & use.rawValue != 0 }
        if groups.contains(file.group) { return file.mode >> 3 & use.rawValue != 0 }
        return file.mode & use.rawValue != 0
    }

    /// The first thing that keeps the user from using a file: the file, or a folder on the way.
    ///
    /// - Returns: Its path; nil where nothing does, or there is no such file.
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

    /// The name of a group.
    static func groupName(_ number: UInt32) -> String {
        getgrgid(number).map { String(cString: $0.pointee.gr_name) } ?? String(number)
    }

    /// The name of a user.
    static func userName(_ number: UInt32) -> String {
        getpwuid(number).map { String(cString: $0.pointee.pw_name) } ?? String(number)
    }
}
