// The compiler finds the members of `stat` here or in Glibc, whichever it has read first.
import CDispatch
import Glibc

/// The box's files, which are looked at and never changed.
package struct BoxFiles: Sendable {
    /// What a file is, and who may do what with it.
    struct Facts: Equatable, Sendable {
        var mode: UInt32
        var user: UInt32
        var group: UInt32
        /// The device and the number of the file, which tell it from all others.
        var identity: [UInt64]
        /// How many bytes it has.
        var size: Int64
        /// When it was changed, in seconds since 1970.
        var changed: Int64

        var isSocket: Bool { mode & S_IFMT == S_IFSOCK }
        var isFolder: Bool { mode & S_IFMT == S_IFDIR }
    }

    /// The longest file that is read, in bytes.
    private static let longest = 1 << 20

    private let root: String

    /// The files below a folder.
    ///
    /// - Parameter root: What stands for `/`.
    package init(root: String = "") {
        self.root = root
    }

    /// Where a file is for the system.
    func place(_ path: String) -> String { root + path }

    /// The beginning of a file; nil where it cannot be read.
    func text(_ path: String) -> String? {
        let descriptor = open(place(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < Self.longest {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The names in a folder, in order; none where there is no such folder.
    func names(in folder: String) -> [String] {
        guard let stream = opendir(place(folder)) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// What a file is; nil where there is none, or nobody may know.
    func facts(_ path: String) -> Facts? {
        var file = stat()
        guard stat(place(path), &file) == 0 else { return nil }
        return Facts(
            mode: file.st_mode, user: file.st_uid, group: file.st_gid,
            identity: [UInt64(file.st_dev), UInt64(file.st_ino)], size: Int64(file.st_size),
            changed: Int64(file.st_mtim.tv_sec))
    }

    /// Why a file cannot be looked at; nil where it can.
    func trouble(_ path: String) -> Int32? {
        var file = stat()
        return stat(place(path), &file) == 0 ? nil : errno
    }

    /// How many bytes there are on the disk of a folder, and how many of them anybody may still use.
    func space(_ folder: String) -> (all: UInt64, free: UInt64)? {
        var disk = statvfs()
        guard statvfs(place(folder), &disk) == 0 else { return nil }
        let unit = UInt64(disk.f_frsize)
        return (UInt64(disk.f_blocks) * unit, UInt64(disk.f_bavail) * unit)
    }

    /// The folder that a file is in.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
