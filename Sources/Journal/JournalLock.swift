import Glibc
import WireText

/// Keeps a second process from writing to a journal: both would chain their events to the same one.
///
/// The lock is on a file beside the journal, which stays, and goes with the process.
final class JournalLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock.
    ///
    /// - Throws: ``JournalError/inUse(path:)``; `SystemCallError` where there is no file to be had.
    init(on path: String) throws {
        let name = path + ".lock"
        descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw SystemCallError(operation: "open", path: name, errno: errno)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            close(descriptor)
            guard number == EWOULDBLOCK else {
                throw SystemCallError(operation: "flock", path: name, errno: number)
            }
            throw JournalError.inUse(path: path)
        }
    }

    /// Gives the lock back, whoever else still holds this value.
    func release() { flock(descriptor, LOCK_UN) }

    deinit { close(descriptor) }
}
