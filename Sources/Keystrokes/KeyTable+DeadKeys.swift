extension KeyTable {
    /// What a dead key and the key after it give; looks twelve times at most and allocates nothing.
    ///
    /// - Parameters:
    ///   - dead: The dead key, pressed first.
    ///   - next: What the key after it means.
    /// - Returns: ``KeyMeaning/character(_:)``; ``KeyMeaning/dead(_:)`` where one more key decides;
    ///   and ``KeyMeaning/unknown`` where the two give nothing.
    public func composed(_ dead: DeadKey, with next: KeyMeaning) -> KeyMeaning {
        KeyMeaning(composed(UInt32(dead.rawValue), with: next.packed))
    }

    /// All that the dead keys of the layout give, ordered by dead key and next key.
    public var deadKeyPairs: [DeadKeyPair] { pairs.map { DeadKeyPair($0) } }

    /// Registers what dead keys give; a pair that is already there is replaced.
    ///
    /// - Parameter added: The pairs; of several for the same two keys the last is taken.
    public mutating func register(_ added: [DeadKeyPair]) {
        var results: [UInt64: DeadKeyPair.Packed] = [:]
        for pair in pairs { results[pair.key] = pair }
        for pair in added.map(\.packed) { results[pair.key] = pair }
        pairs = results.values.sorted { $0.key < $1.key }
    }

    /// The packed form of ``composed(_:with:)``: `dead` is the payload of a packed dead key.
    func composed(_ dead: UInt32, with next: KeyMeaning.Packed) -> KeyMeaning.Packed {
        let key = DeadKeyPair.Packed.key(dead, next)
        var low = 0
        var high = pairs.count
        while low < high {
            let middle = (low + high) / 2
            if pairs[middle].key < key { low = middle + 1 } else { high = middle }
        }
        guard low < pairs.count, pairs[low].key == key else { return KeyMeaning.unknown.packed }
        return pairs[low].result
    }
}
