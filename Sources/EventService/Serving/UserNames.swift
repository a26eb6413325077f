import Events
import Glibc
import Synchronization

/// Looks up the names of users.
///
/// A name may be on another box that does not answer, so a thread waits for it that is there only
/// while there is something to look up; whoever asks goes on, and is told later.
final class UserNames: Sendable {
    private struct State {
        var asked: [UInt32: [@Sendable (String?) -> Void]] = [:]
        var isLooking = false
    }

    private let state = Mutex(State())
    private let lookUp: @Sendable (UInt32) -> String?

    /// Makes a look-up.
    ///
    /// - Parameter lookUp: Gives the name of a user; nil where there is none.
    init(_ lookUp: @escaping @Sendable (UInt32) -> String? = UserNames.ofTheSystem) {
        self.lookUp = lookUp
    }

    /// Looks a name up.
    ///
    /// - Parameters:
    ///   - user: The user's number.
    ///   - tell: Is told the name, on another thread; nil where there is none.
    func find(_ user: UInt32, tell: @escaping @Sendable (String?) -> Void) {
        let isToBegin = state.withLock { state in
            state.asked[user, default: []].append(tell)
            defer { state.isLooking = true }
            return !state.isLooking
        }
        guard isToBegin else { return }
        do {
            try WaitingThread.start { [self] in
                while let (user, tellers) = next() {
                    let name = lookUp(user)
                    for tell in tellers { tell(name) }
                }
            }
        } catch {
            // A box without another thread has graver things to tell.
            while let (_, tellers) = next() { for tell in tellers { tell(nil) } }
        }
    }

    /// A user, and all who asked for the name so far.
    private func next() -> (user: UInt32, tellers: [@Sendable (String?) -> Void])? {
        state.withLock { state in
            guard let (user, tellers) = state.asked.first else {
                state.isLooking = false
                return nil
            }
            state.asked[user] = nil
            return (user, tellers)
        }
    }

    /// Asks the system.
    private static func ofTheSystem(_ user: UInt32) -> String? {
        var size = 1 << 10
        while size <= 1 << 20 {
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            var room = [CChar](repeating: 0, count: size)
            let (result, name) = room.withUnsafeMutableBufferPointer { room -> (Int32, String?) in
                guard let start = room.baseAddress else { return (ENOMEM, nil) }
                let result = getpwuid_r(user, &entry, start, room.count, &found)
                let name = found.flatMap { $0.pointee.pw_name }
                return (result, name.map { String(cString: $0) })
            }
            guard result == ERANGE else { return name }
            size *= 4
        }
        return nil
    }
}
