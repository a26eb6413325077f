/// A character typed with one or several keys, or a key that starts or ends scans.
struct TypedKey: Hashable, Sendable {
    /// The character; nil if the key types none.
    var character: Unicode.Scalar?
    /// The key, or the last key of a character that took several.
    var key: KeyCode
    /// Whether the key or character starts a scan.
    var isStart = false
    /// Whether the key or character ends a scan.
    var isEnd = false
    var features: ScanFeatures = []
    /// Whether the character was typed as an ALT number that seems to have lost a digit.
    var isSuspect = false
    /// One key of the unfinished character that this key cut off; nil if it cut off none.
    var cutOff: PressedKey?
}

/// A key, and the modifiers that were held with it.
struct PressedKey: Hashable, Sendable {
    var key: KeyCode
    var modifiers = ModifierState()
    /// Why a number typed with Alt held is not a character; nil if that is not the problem.
    var altNumber: UnmappedKey.AltNumber?

    var unmapped: UnmappedKey {
        UnmappedKey(key: key, modifiers: modifiers.heldKeys, altNumber: altNumber)
    }
}
