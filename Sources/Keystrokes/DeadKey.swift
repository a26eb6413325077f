/// A key that types nothing by itself and changes the character of the key after it.
///
/// The acute accent of a French keyboard is one: it and then E give é, it and then a space give the
/// accent alone. What comes of it and the next key is in the ``KeyTable`` that the key is of, see
/// ``KeyTable/composed(_:with:)``. Where a character takes several dead keys, the first two give
/// another dead key, which stands for both and is on no keyboard.
public struct DeadKey: RawRepresentable, Hashable, Sendable {
    /// The number: of a key of an XKB layout its keysym (`XKB_KEY_dead_acute` is 0xFE51); of what
    /// stands for several in a row, 1, 2 and so on, which mean something in their own table only.
    public var rawValue: UInt16

    /// The dead key with this number.
    ///
    /// - Parameter rawValue: The number.
    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }
}

/// What a dead key and the key after it give.
public struct DeadKeyPair: Hashable, Sendable {
    /// The dead key, pressed first.
    public var dead: DeadKey
    /// What the key after it means: a character, or a dead key.
    public var next: KeyMeaning
    /// What both give: a character, or a dead key that waits for one more.
    public var result: KeyMeaning

    /// Makes a pair.
    ///
    /// - Parameters:
    ///   - dead: The dead key, pressed first.
    ///   - next: What the key after it means.
    ///   - result: What both give.
    public init(_ dead: DeadKey, _ next: KeyMeaning, gives result: KeyMeaning) {
        self.dead = dead
        self.next = next
        self.result = result
    }
}

extension DeadKeyPair {
    /// A pair packed into twelve bytes, ordered by dead key and next key.
    @usableFromInline
    struct Packed: Hashable, Sendable {
        var dead: UInt32
        var next: KeyMeaning.Packed
        var result: KeyMeaning.Packed

        var key: UInt64 { Self.key(dead, next) }

        static func key(_ dead: UInt32, _ next: KeyMeaning.Packed) -> UInt64 {
            UInt64(dead) << 32 | UInt64(next.bits)
        }
    }

    var packed: Packed {
        Packed(dead: UInt32(dead.rawValue), next: next.packed, result: result.packed)
    }

    init(_ packed: Packed) {
        self.init(
            DeadKey(rawValue: UInt16(truncatingIfNeeded: packed.dead)), KeyMeaning(packed.next),
            gives: KeyMeaning(packed.result))
    }
}
