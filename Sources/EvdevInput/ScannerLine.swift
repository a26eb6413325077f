/// What comes of one scanner, on its way into its queue.
///
/// The line stays when the scanner goes: it may be plugged in again.
final class ScannerLine {
    /// The scanner's name.
    let name: String
    let handOver: HandOver
    private var outbox: [ReaderOutput] = []

    init(name: String, capacity: Int) {
        self.name = name
        handOver = HandOver(capacity: capacity)
    }

    /// Puts outputs into the queue at the end of this round.
    func say(_ outputs: [ReaderOutput]) {
        if !outputs.isEmpty { outbox += outputs }
    }

    /// Hands over what was said.
    ///
    /// - Returns: Whether it is in the queue; false while that is being read.
    func deliver() -> Bool {
        outbox.isEmpty || handOver.offer(&outbox)
    }

    /// Hands over what was said, and that nothing follows.
    ///
    /// - Returns: Whether it is in the queue.
    func finish() -> Bool {
        handOver.offer(&outbox, isLast: true)
    }
}
