import Glibc
import WireText

/// Keeps a second process from writing to a journal: both would chain their events to the same one.
///
/// The lock is on a file beside the journal, which stays, and goes with the process: a command that a
/// killed daemon was about to start has its descriptor, and not the lock.
final class JournalLock: Sendable {
    let descriptor: Int32

    /// Takes the lock.
    ///
    /// - Throws: ``JournalError/inUse(path:)``; `SystemCallError` where there is no file to be had.
    init(on path: String) throws {
        let name = path + ".lock"
        descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw SystemCallError(operation: "open", path: name, errno: errno)
        }
        guard Self.set(F_WRLCK, descriptor) else {
            let number = errno
            close(descriptor)
            guard number == EAGAIN || number == EACCES else {
                throw SystemCallError(operation: "fcntl", path: name, errno: number)
            }
            throw JournalError.inUse(path: path)
        }
    }

    /// Gives the lock back, whoever else still holds this value.
    func release() { _ = Self.set(F_UNLCK, descriptor) }

    private static func set(_ type: Int32, _ descriptor: Int32) -> Bool {
        var range = flock(
            l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        return fcntl(descriptor, F_SETLK, &range) == 0
    }

    deinit { close(descriptor) }
}
