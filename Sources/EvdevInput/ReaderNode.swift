/// An event node the reader knows of, open or not.
final class ReaderNode {
    let path: String
    /// The open device; nil while it is left alone or tried again later.
    var device: InputNode?
    /// What epoll knows it by; of every opening another.
    var token: UInt64 = 0
    /// What a copy of its descriptor is kept by; nil where none is.
    var keptAs: String?
    /// When it may be grabbed, while it is not.
    var gate: GrabGate?
    /// The scanner it belongs to.
    var scanner: HeldScanner?
    /// When it is tried again.
    var backoff = RetryBackoff()
    /// What was said of it last, so as not to say it again.
    var lastNotice: ReaderNotice?
    /// What its device is, where that is known without opening it again.
    var known: KnownDevice?
    /// Whether it is in the queue of nodes to be looked at.
    var isQueued = false
    /// Whether it may not be opened.
    var isForbidden: Bool { forbidden != nil }
    /// What is to come of it that it may not be opened.
    var forbidden: Forbidden?

    /// A node that may not be opened: udev sets its permissions up to a second after it has appeared.
    enum Forbidden {
        /// It is worth a word where that has not changed by then.
        case since(deadline: Int64)
        /// It was said.
        case told
    }

    init(path: String) {
        self.path = path
    }

    /// Whether nobody else gets its keys.
    var isGrabbed: Bool { device != nil && gate == nil }

    /// When it needs attention although no event comes.
    var deadline: Int64? {
        guard device == nil else { return gate?.deadline }
        if case .since(let deadline) = forbidden { return deadline }
        return backoff.deadline
    }

    /// Gives the device back.
    func close() {
        device = nil
        gate = nil
        scanner = nil
        keptAs = nil
        token = 0
    }
}

/// When to try again what keeps failing: soon at first, then ever more rarely.
struct RetryBackoff: Hashable, Sendable {
    /// The pause after the first failure, in microseconds.
    static let first: Int64 = 100_000
    /// The longest pause, in microseconds.
    static let longest: Int64 = 5_000_000

    /// When to try again; nil where nothing failed.
    private(set) var deadline: Int64?
    private var pause: Int64 = 0

    /// Takes note of a failure.
    mutating func failed(at now: Int64) {
        pause = pause == 0 ? Self.first : min(pause * 2, Self.longest)
        deadline = now.later(by: pause)
    }

    /// Takes note that a new attempt is being made.
    mutating func tries() {
        deadline = nil
    }

    /// Takes note that it went well.
    mutating func succeeded() {
        self = RetryBackoff()
    }
}
