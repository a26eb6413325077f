internal import Glibc
internal import Keystrokes

/// A node that the finder has claimed for the reader.
///
/// Only one of the two has it at a time: the finder gives it away in a message, and gets it back in
/// one.
struct ClaimedNode: Sendable {
    enum Origin: Sendable {
        /// This process has claimed it. `sawKeys` says whether keys came between opening and claiming,
        /// which went to everybody else.
        case claimed(sawKeys: Bool)
        /// Another process had claimed it, and left its scanner in this state between two scans; nil if
        /// that process ended without a word about what it had read.
        case resumed(ScanAssembler.Rest?)
    }

    /// The path that it was opened by.
    let path: String
    nonisolated(unsafe) let device: any InputDevice
    let origin: Origin
    /// Events that were read from it and not yet assembled.
    var pending: [KeyEvent] = []
    /// The keys that are down, before ``pending``.
    var heldKeys: [KeyCode] = []

    var number: dev_t { device.number }
}
