/// What each key means at each level: the table that turns keys into characters.
///
/// In the manner of iOS's `UIKeyCommand`, everything a scanner can type is registered in advance,
/// so that a key press is one look into flat memory (64 KiB) and never computes or allocates.
///
/// ```swift
/// KeyTable.us[.q, []]        // .character("q")
/// KeyTable.us[.q, .shift]    // .character("Q")
/// KeyTable.us[.f8, []]       // .unknown
/// ```
public struct KeyTable: Hashable, Sendable {
    /// One cell per key and level, key by key.
    private(set) var cells: [KeyMeaning.Packed]
    /// What dead keys give, in ascending order of ``DeadKeyPair/Packed/key``.
    var pairs: [DeadKeyPair.Packed] = []

    /// A table that knows no key.
    ///
    /// It has room for the keys 0…255, which is every key an X11 layout can name (keycodes end at
    /// 255 and are the kernel's plus 8); it grows when a higher one is registered. What libxkbcommon
    /// knows beyond (`KEY_DOLLAR`, `KEY_EURO`) has no place here: it would double the table.
    public init() {
        cells = Array(repeating: KeyMeaning.unknown.packed, count: 256 * KeyLevel.count)
    }

    /// What `key` means at `level`; ``KeyMeaning/unknown`` for a key that is not registered.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - level: The modifiers and locks in effect.
    public subscript(key: KeyCode, level: KeyLevel) -> KeyMeaning {
        get { KeyMeaning(packed(key.rawValue, level)) }
        set {
            grow(toHold: key)
            cells[Int(key.rawValue) * KeyLevel.count + Int(level.rawValue)] = newValue.packed
        }
    }

    /// Registers one meaning for `key` at every level.
    ///
    /// - Parameters:
    ///   - meaning: What the key means.
    ///   - key: The key; numbers above ``KeyCode/highest`` do not exist and are passed over.
    public mutating func register(_ meaning: KeyMeaning, for key: KeyCode) {
        guard key.rawValue <= KeyCode.highest else { return }
        for level in KeyLevel.all { self[key, level] = meaning }
    }

    /// Changes what every key means and every dead key pair gives.
    ///
    /// - Parameter change: Takes the key, or nil for a pair, and its meaning; returns the new one.
    mutating func changeAll(
        _ change: (KeyCode?, KeyMeaning.Packed) -> KeyMeaning.Packed
    ) {
        for index in cells.indices {
            let key = KeyCode(rawValue: UInt16(index / KeyLevel.count))
            cells[index] = change(key, cells[index])
        }
        for index in pairs.indices { pairs[index].result = change(nil, pairs[index].result) }
    }

    /// The keys the table has room for.
    public var keys: [KeyCode] {
        (0..<cells.count / KeyLevel.count).map { KeyCode(rawValue: UInt16($0)) }
    }

    /// The memory the table takes, in bytes.
    public var byteCount: Int {
        cells.count * MemoryLayout<KeyMeaning.Packed>.stride
            + pairs.count * MemoryLayout<DeadKeyPair.Packed>.stride
    }

    @inline(__always)
    func packed(_ code: UInt16, _ level: KeyLevel) -> KeyMeaning.Packed {
        let index = Int(code) * KeyLevel.count + Int(level.rawValue)
        guard index < cells.count else { return KeyMeaning.unknown.packed }
        return cells[index]
    }

    mutating func grow(toHold key: KeyCode) {
        let missing = (Int(key.rawValue) + 1) * KeyLevel.count - cells.count
        guard missing > 0 else { return }
        cells.append(contentsOf: repeatElement(KeyMeaning.unknown.packed, count: missing))
    }
}

/// What Caps Lock does on a scanner.
public enum CapsHandling: String, Hashable, Sendable, CaseIterable {
    /// The Caps Lock key switches it on and off; it starts off.
    case track
    /// The Caps Lock key is no data and switches nothing.
    case ignore
    /// As ``track``, but it starts on: the scanner turns the case of letters round.
    case inverted
}

extension KeyTable {
    /// The table of a scanner whose Caps Lock does something else than the layout says.
    ///
    /// - Parameter caps: What Caps Lock does.
    /// - Returns: A table to be read with Caps Lock off at the start.
    func handling(_ caps: CapsHandling) -> KeyTable {
        switch caps {
        case .track: self
        case .ignore: withoutCapsLock
        case .inverted: withCapsLockInverted
        }
    }

    private var withoutCapsLock: KeyTable {
        var table = self
        for key in keys {
            for level in KeyLevel.all where self[key, level] == .capsLock {
                table[key, level] = .ignored
            }
        }
        return table
    }

    private var withCapsLockInverted: KeyTable {
        var table = self
        for key in keys {
            for level in KeyLevel.all {
                table[key, level] = self[key, level.symmetricDifference(.caps)]
            }
        }
        return table
    }
}

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
