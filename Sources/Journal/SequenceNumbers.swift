/// Gives numbers to events, out of blocks that the journal's file says may have been given.
///
/// A number that was given is never given again, whatever happens: after an unclean end the rest of
/// a block is skipped. Where the disk takes no more blocks, numbers go on from the time of day in
/// microseconds, which is above every number that was counted.
struct SequenceNumbers: Equatable, Sendable {
    /// How many numbers a block has.
    static let blockSize: UInt64 = 1_000

    /// The number that was given last.
    private(set) var last: UInt64
    /// Up to where numbers may be given.
    private(set) var reserved: UInt64

    /// Makes numbers that go on behind what a file says, none of which may be given yet.
    init(after last: UInt64) {
        self.last = last
        reserved = last
    }

    /// What is to be written into the file, where a block is to be begun.
    var wanted: UInt64? {
        reserved >= last + Self.blockSize / 2 ? nil : last + Self.blockSize
    }

    /// Takes note of a block that is in the file now.
    mutating func reserve(upTo end: UInt64) { reserved = max(reserved, end) }

    /// Goes on behind other numbers, where those are higher.
    mutating func goOn(behind other: SequenceNumbers) {
        guard other.last > last else { return }
        self = other
    }

    /// Gives the next number.
    ///
    /// - Parameter now: The time of day in microseconds since 1970.
    /// - Returns: The number.
    mutating func next(now: () -> Int64) -> UInt64 {
        if last >= reserved { last = max(last, UInt64(max(0, now()))) }
        last += 1
        return last
    }
}
