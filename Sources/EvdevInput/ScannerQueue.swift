/// What comes of one scanner, on its way into its queue.
///
/// It stays when the scanner goes: it may be plugged in again.
final class ScannerQueue {
    /// The scanner's name.
    let name: String
    let queue: BoundedQueue
    private var outbox: [ReaderOutput] = []

    init(name: String, capacity: Int) {
        self.name = name
        queue = BoundedQueue(capacity: capacity)
    }

    /// Puts outputs into the queue at the end of this round.
    func say(_ outputs: [ReaderOutput]) {
        if !outputs.isEmpty { outbox += outputs }
    }

    /// Hands over what was said.
    ///
    /// - Returns: Whether it is in the queue; false while that is being read.
    func deliver() -> Bool {
        outbox.isEmpty || queue.offer(&outbox)
    }

    /// Hands over what was said, and that nothing follows.
    ///
    /// - Returns: Whether it is in the queue.
    func finish() -> Bool {
        queue.offer(&outbox, isLast: true)
    }
}
