internal import Glibc

/// Functions that make a folder's owner the owner of files that root creates in it, as SQLite does for its WAL file.
///
/// Otherwise, a command that runs as root could create files in the daemon's folder that the daemon cannot open.
package enum FolderOwner {
    /// Creates an empty file and calls ``give(_:at:)``; does nothing if the file exists or cannot be created.
    package static func createFile(_ path: String, mode: UInt32) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { return }
        give(descriptor, at: path)
        close(descriptor)
    }

    /// Creates a folder and calls ``give(_:at:)``; does nothing if the folder exists or cannot be created.
    package static func createFolder(_ path: String, mode: UInt32) {
        guard mkdir(path, mode) == 0 else { return }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        give(descriptor, at: path)
        close(descriptor)
    }

    /// Gives a new file or folder to the owner of its parent folder; does nothing unless the process runs as root.
    ///
    /// The parent folder's owner could put one of root's own files, or a link to one, in the place of a new file. The
    /// method therefore does nothing if a file has content or a second hard link.
    package static func give(_ descriptor: Int32, at path: String) {
        guard geteuid() == 0 else { return }
        var (file, named, folder) = (stat(), stat(), stat())
        guard fstat(descriptor, &file) == 0, lstat(path, &named) == 0, file.st_uid == 0,
            file.st_dev == named.st_dev, file.st_ino == named.st_ino,
            file.st_mode & S_IFMT == S_IFDIR
                || file.st_size == 0 && file.st_nlink == 1 && named.st_nlink == 1,
            stat(path.folder, &folder) == 0, folder.st_uid != 0
        else { return }
        _ = fchown(descriptor, folder.st_uid, folder.st_gid)
    }
}

extension String {
    /// The path's folder: `/` for a file in the root folder, `.` for a path without a slash.
    package var folder: String {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }
}
