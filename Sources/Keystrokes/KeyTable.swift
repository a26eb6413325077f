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
