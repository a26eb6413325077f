internal import Glibc
internal import Keystrokes

/// A node that the finder has claimed for the reader.
///
/// Finder and reader pass it to each other in messages; only one of them has it at a time.
struct ClaimedNode: Sendable {
    enum Origin: Sendable {
        /// This process claimed it. `sawKeys` says whether keys came between opening and claiming;
        /// other processes received them too.
        case claimed(sawKeys: Bool)
        /// An earlier process claimed it and left its scanner in this state between two scans; nil
        /// if that process did not record what it had read.
        case resumed(ScanAssembler.Rest?)

        var rest: ScanAssembler.Rest? { if case .resumed(let rest) = self { rest } else { nil } }

        var sawKeys: Bool { if case .claimed(sawKeys: true) = self { true } else { false } }

        /// Whether keys were read that this process knows nothing about.
        var mayHaveLostAScan: Bool { if case .resumed(nil) = self { true } else { sawKeys } }
    }

    /// The path by which it was opened.
    let path: String
    nonisolated(unsafe) let device: any InputDevice
    let origin: Origin
    /// Events that were read from it and not yet assembled.
    var pending: [KeyEvent] = []
    /// The keys that are down, before ``pending``.
    var heldKeys: [KeyCode] = []

    var number: dev_t { device.number }
}
