/// An event node the reader knows of, open or not.
final class ReaderNode {
    let path: String
    /// The open device; nil while it is left alone or tried again later.
    var device: InputNode?
    /// What epoll knows it by; of every opening another.
    var token: UInt64 = 0
    /// When it may be grabbed, while it is not.
    var gate: GrabGate?
    /// The scanner it belongs to.
    var scanner: HeldScanner?
    /// When it is tried again.
    var backoff = RetryBackoff()
    /// What was said of it last, so as not to say it again.
    var lastNotice: ReaderNotice?
    /// Whether it may not be opened.
    var isForbidden = false

    init(path: String) {
        self.path = path
    }

    /// Whether nobody else gets its keys.
    var isGrabbed: Bool { device != nil && gate == nil }

    /// When it needs attention although no event comes.
    var deadline: Int64? { device == nil ? backoff.deadline : gate?.deadline }

    /// Gives the device back.
    func close() {
        device = nil
        gate = nil
        scanner = nil
        token = 0
    }
}
