/// A character typed with one or several keys, or a key that starts or ends scans.
struct TypedKey: Hashable, Sendable {
    /// The character; nil if the key types none.
    var character: Unicode.Scalar?
    /// The key; the last one if there were several.
    var key: KeyCode
    /// Whether it starts a scan.
    var isStart = false
    /// Whether it ends a scan.
    var isEnd = false
    var features: ScanFeatures = []
    /// Whether it may come from an ALT number that has lost a digit.
    var isSuspect = false
    /// A key of the previous character, which this key cut off.
    var cutOff: PressedKey?
}

/// A key, and the modifiers that were held with it.
struct PressedKey: Hashable, Sendable {
    var key: KeyCode
    var modifiers = ModifierState()
    /// The reason why a number in ALT mode is not a character, if the key belongs to one.
    var altNumber: UnmappedKey.AltNumber?

    var unmapped: UnmappedKey {
        UnmappedKey(key: key, modifiers: modifiers.heldKeys, altNumber: altNumber)
    }
}
