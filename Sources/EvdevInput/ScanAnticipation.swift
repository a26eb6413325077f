public import Keystrokes

/// Lets a scan be got ready while its last keys are still to come, and be given out by the thread
/// that reads the very last one.
///
/// A scan that may be whole but for its terminator comes as ``ReaderOutput/anticipated(_:_:)``.
/// Whoever gets it ready has it by the time the terminator comes, or has not: then nothing is lost,
/// and the scan takes its way through the queue.
///
/// Both closures are called on the reader's thread, and must not wait for anything.
public struct ScanAnticipation: Sendable {
    /// Whether the keys so far may be a whole scan.
    ///
    /// Asked after each key, with the scan that a terminator would complete. One as long as one
    /// of the last scans may be anyway.
    public var isLikelyWhole: @Sendable (Scan) -> Bool
    /// Gives out a complete scan that has been got ready, and says whether it did.
    public var release: @Sendable (AttachedScanner, Scan) -> Bool

    /// Makes an anticipation.
    ///
    /// - Parameters:
    ///   - isLikelyWhole: Whether the keys so far may be a whole scan, though not as long as one of
    ///     the last.
    ///   - release: Gives out a complete scan that has been got ready, and says whether it did.
    public init(
        isLikelyWhole: @escaping @Sendable (Scan) -> Bool,
        release: @escaping @Sendable (AttachedScanner, Scan) -> Bool
    ) {
        self.isLikelyWhole = isLikelyWhole
        self.release = release
    }
}
