/// A set of small numbers, a bit each: a million products take 125 kB.
struct NumberSet {
    private var words: [UInt64] = []

    /// Whether a number was added.
    func contains(_ number: Int64) -> Bool {
        let (word, bit) = Int(number).quotientAndRemainder(dividingBy: 64)
        return word < words.count && words[word] & (1 << UInt64(bit)) != 0
    }

    /// Adds a number; returns whether it was new.
    mutating func insert(_ number: Int64) -> Bool {
        let (word, bit) = Int(number).quotientAndRemainder(dividingBy: 64)
        if word >= words.count {
            words += repeatElement(0, count: max(words.count, word + 1 - words.count))
        }
        let mask: UInt64 = 1 << UInt64(bit)
        defer { words[word] |= mask }
        return words[word] & mask == 0
    }
}
