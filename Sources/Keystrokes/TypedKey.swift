/// A character typed with one or more keys, or a key that starts or ends scans.
struct TypedKey: Hashable, Sendable {
    var character: Unicode.Scalar?
    /// The key that was pressed, or one of several; `KEY_RESERVED` if the scanner sends bytes.
    var key: KeyCode
    var isStart = false
    var isEnd = false
    var features: ScanFeatures = []
    /// Whether the character was typed in ALT mode as a number that seems to have lost a digit.
    var isSuspect = false
    /// A key of an unfinished character that this key cut off, such as a dead key; nil if none was cut off.
    var cutOff: PressedKey?
}

struct PressedKey: Hashable, Sendable {
    var key: KeyCode
    var modifiers = ModifierState()
    /// Why this key's Alt+number sequence typed no character; nil if no reason applies.
    var altNumber: UnmappedKey.AltNumber?

    var unmapped: UnmappedKey {
        UnmappedKey(key: key, modifiers: modifiers.heldKeys, altNumber: altNumber)
    }
}
