import Glibc
import WireText

/// The file a new catalog is filled in before it gets its name, held by one process at a time.
///
/// The lock is let go with the process, however it ends; what it has left is emptied by the next.
final class DraftFile {
    let path: String
    let descriptor: Int32
    private var isHeld = false

    /// Takes the file, emptied.
    ///
    /// - Parameter path: Where it is.
    /// - Throws: ``SyncError/busy(path:)`` where another process has it, ``SyncError/file(_:)``.
    init(path: String) throws(SyncError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw Self.error("create", path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK ? .busy(path: path) : Self.error("lock", path)
        }
        // Who had it before may just have taken it away: it is under this name no more.
        var (held, named) = (stat(), stat())
        guard fstat(descriptor, &held) == 0, stat(path, &named) == 0, held.st_ino == named.st_ino,
            held.st_dev == named.st_dev
        else { throw .busy(path: path) }
        isHeld = true
        for end in ["-wal", "-shm"] { unlink(path + end) }
        guard ftruncate(descriptor, 0) == 0 else { throw Self.error("truncate", path) }
    }

    deinit {
        if isHeld {
            for end in ["-wal", "-shm", ""] { unlink(path + end) }
        }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Empties the file.
    func clear() throws(SyncError) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw Self.error("truncate", path)
        }
    }

    /// Takes away what a killed process has left, unless another one has it.
    static func sweep(_ path: String) {
        guard access(path, F_OK) == 0 else { return }
        _ = try? DraftFile(path: path)
    }

    private static func error(_ operation: String, _ path: String) -> SyncError {
        .file(SystemCallError(operation: operation, path: path, errno: errno))
    }
}
