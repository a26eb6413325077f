internal import Keystrokes

/// When a node may be grabbed: as soon as no key is down, or when the time for that is up.
///
/// A key that is down at the time of the grab is never seen to come up by anybody else: a console
/// would go on believing that it is held.
struct GrabGate: Hashable, Sendable {
    /// What to do now.
    enum Step: Hashable {
        /// Wait for the next event or for the deadline.
        case wait
        case grab
        /// Grab it although a key is down.
        case grabWithKeyHeld
    }

    /// When it is made all the same.
    let deadline: Int64

    /// Opens the gate for a node.
    ///
    /// - Parameters:
    ///   - now: When the node was opened.
    ///   - timeout: How long to wait for held keys, in microseconds.
    init(at now: Int64, timeout: Int64) {
        deadline = now.later(by: timeout)
    }

    func step(at now: Int64, isAnyKeyDown: Bool) -> Step {
        guard isAnyKeyDown else { return .grab }
        return now >= deadline ? .grabWithKeyHeld : .wait
    }
}
