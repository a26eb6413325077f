/// A character typed with one or several keys, or a key that begins or ends scans.
struct TypedKey: Hashable, Sendable {
    /// The character; nil for a key that types none.
    var character: Unicode.Scalar?
    /// The key, or the last of them.
    var key: KeyCode
    /// Whether it begins a scan.
    var isStart = false
    /// Whether it ends a scan.
    var isEnd = false
    var features: ScanFeatures = []
    /// Whether it may come from an ALT number that has lost a digit.
    var isSuspect = false
    /// A key of the character before it, which it left unfinished.
    var cutOff: PressedKey?
}

/// A key, and the modifiers that were held with it.
struct PressedKey: Hashable, Sendable {
    var key: KeyCode
    var modifiers = ModifierState()
    /// The reason why a number in ALT mode is no character, if the key belongs to one.
    var altNumber: UnmappedKey.AltNumber?

    var unmapped: UnmappedKey {
        UnmappedKey(key: key, modifiers: modifiers.heldKeys, altNumber: altNumber)
    }
}
