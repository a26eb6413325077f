/// A character that one or several keys gave, or a key that begins or ends scans.
struct TypedKey: Hashable, Sendable {
    /// The character; nil for a key that types none.
    var character: UInt32?
    /// The key, or the last of them.
    var code: UInt16
    /// Whether it begins a scan.
    var isStart = false
    /// Whether it ends a scan.
    var isEnd = false
    /// What had a part in it.
    var features: ScanFeatures = []
    /// Whether it may be what a lost digit made of another.
    var isSuspect = false
    /// A key of the character before it, which it left without its end.
    var cutOff: PressedKey?
}

/// A key, and the modifiers that were held with it, one bit each.
struct PressedKey: Hashable, Sendable {
    var code: UInt16
    var held: UInt8 = 0

    /// The key as rejections name it.
    var unmapped: UnmappedKey {
        UnmappedKey(key: KeyCode(rawValue: code), modifiers: ModifierState.keys(held))
    }
}
