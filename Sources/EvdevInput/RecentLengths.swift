/// The lengths that a scanner's last texts had, each once: a shop's codes have few.
struct RecentLengths {
    /// How many are kept.
    static let capacity = 4

    private var lengths: [Int] = []

    func contains(_ length: Int) -> Bool {
        lengths.contains(length)
    }

    /// Keeps a length, in the place of the one that has not come for the longest time.
    mutating func note(_ length: Int) {
        guard lengths.first != length else { return }
        lengths.removeAll { $0 == length }
        lengths.insert(length, at: 0)
        if lengths.count > Self.capacity { lengths.removeLast() }
    }
}
