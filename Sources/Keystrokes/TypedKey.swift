/// A character typed with one or several keys, or a key that starts or ends scans.
struct TypedKey: Hashable, Sendable {
    var character: Unicode.Scalar?
    /// The key, or the last key of a character that took several.
    var key: KeyCode
    var isStart = false
    var isEnd = false
    var features: ScanFeatures = []
    /// Whether the character was typed as an ALT number that seems to have lost a digit.
    var isSuspect = false
    /// One key of the unfinished character that this key cut off, if any.
    var cutOff: PressedKey?
}

struct PressedKey: Hashable, Sendable {
    var key: KeyCode
    var modifiers = ModifierState()
    /// Why the Alt+number sequence that this key belongs to produced no character; nil if it belongs to none.
    var altNumber: UnmappedKey.AltNumber?

    var unmapped: UnmappedKey {
        UnmappedKey(key: key, modifiers: modifiers.heldKeys, altNumber: altNumber)
    }
}
