import WireText

#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// Tells whether a path still leads to the same file, and whether the file was written to.
struct FileStamp: Equatable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int

    /// Looks at a file; nil where there is none.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }

    /// Whether both are the same file, whatever it contains.
    func isSameFile(as other: Self) -> Bool {
        device == other.device && inode == other.inode
    }

    /// Why a path cannot be opened for reading as a file, nil where it can.
    ///
    /// It is not opened for that: closing it again would take away every lock that another
    /// connection of this process holds on it (fcntl(2)), and SQLite would go on without.
    static func obstacle(path: String) -> CatalogError? {
        var status = stat()
        guard stat(path, &status) == 0, faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 else {
            return errno == ENOENT
                ? .missing(path: path)
                : .unreadable(
                    path: path,
                    reason: SystemCallError(operation: "stat", path: path, errno: errno).text)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            return .unreadable(
                path: path, reason: isFolder ? "it is a directory" : "it is no regular file")
        }
        return nil
    }
}
