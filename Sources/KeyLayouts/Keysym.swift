internal import CXKBCommon

/// What XKB says a key stands for: a character, a dead key, or what it does.
struct Keysym: RawRepresentable, Hashable, Comparable, Sendable {
    let rawValue: xkb_keysym_t

    /// The character it types, or nil.
    var scalar: Unicode.Scalar? {
        let value = xkb_keysym_to_utf32(rawValue)
        return value == 0 ? nil : Unicode.Scalar(value)
    }

    /// Whether it is a dead key: what `xkbcommon-keysyms.h` calls `XKB_KEY_dead_…`.
    var isDead: Bool {
        (0xFE50...0xFE9F).contains(rawValue) && name.hasPrefix("dead_")
    }

    /// Its name, for instance `dead_acute`.
    var name: String {
        var buffer: [CChar] = Array(repeating: 0, count: 64)
        let length = xkb_keysym_get_name(rawValue, &buffer, buffer.count)
        guard length > 0 else { return "" }
        let bytes = buffer.prefix(min(Int(length), buffer.count - 1)).map(UInt8.init(bitPattern:))
        return String(decoding: bytes, as: UTF8.self)
    }

    static func < (left: Keysym, right: Keysym) -> Bool { left.rawValue < right.rawValue }

    init(rawValue: xkb_keysym_t) { self.rawValue = rawValue }

    /// One of the numbers that the header defines, which Swift takes for signed.
    init(_ number: Int32) { rawValue = xkb_keysym_t(bitPattern: number) }
}

extension Keysym {
    static let none = Keysym(XKB_KEY_NoSymbol)
    static let capsLock = Keysym(XKB_KEY_Caps_Lock)
    static let numLock = Keysym(XKB_KEY_Num_Lock)
    static let rightAlt = Keysym(XKB_KEY_Alt_R)
    static let level3Shift = Keysym(XKB_KEY_ISO_Level3_Shift)
    static let level3Latch = Keysym(XKB_KEY_ISO_Level3_Latch)
    static let level5Shift = Keysym(XKB_KEY_ISO_Level5_Shift)
    static let level5Latch = Keysym(XKB_KEY_ISO_Level5_Latch)

    /// Enter, whatever is held with it.
    static let enterKeys: Set<Keysym> = [Keysym(XKB_KEY_Return), Keysym(XKB_KEY_KP_Enter)]

    /// Keys that type a control character unless Shift, AltGr or Control is held.
    static let editingKeys: Set<Keysym> = [
        Keysym(XKB_KEY_Tab), Keysym(XKB_KEY_Escape), Keysym(XKB_KEY_BackSpace),
        Keysym(XKB_KEY_Delete), Keysym(XKB_KEY_Linefeed),
    ]
}
