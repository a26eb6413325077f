public import Keystrokes

/// Lets a scan be got ready while its last key is still to come, and be given out by the thread that
/// reads that key.
///
/// After each character the scan that a terminator would complete comes as
/// ``ReaderOutput/anticipated(_:_:)``. Whoever gets it ready has it by the time the terminator comes,
/// or has not: then nothing is lost, and the scan takes its way through the queue.
public struct ScanAnticipation: Sendable {
    /// Gives out a complete scan that has been got ready, and says whether it did.
    ///
    /// It is called on the reader's thread, and must not wait for anything.
    public var release: @Sendable (AttachedScanner, Scan) -> Bool

    /// Makes an anticipation.
    ///
    /// - Parameter release: Gives out a complete scan that has been got ready, and says whether it
    ///   did; called on the reader's thread, it must not wait for anything.
    public init(release: @escaping @Sendable (AttachedScanner, Scan) -> Bool) {
        self.release = release
    }
}
