internal import CXKBCommon
internal import Keystrokes

/// An XKB keysym: a character, a dead key, or a key without a character, such as Shift.
struct Keysym: RawRepresentable, Hashable, Comparable, Sendable {
    let rawValue: xkb_keysym_t

    var scalar: Unicode.Scalar? {
        let value = xkb_keysym_to_utf32(rawValue)
        return value == 0 ? nil : Unicode.Scalar(value)
    }

    /// Whether the keysym is a dead key, whose name in `xkbcommon-keysyms.h` starts with `XKB_KEY_dead_`.
    var isDead: Bool {
        (0xFE50...0xFE9F).contains(rawValue)
            && String(longest: 64) { xkb_keysym_get_name(rawValue, $0.baseAddress, $0.count) }
                .hasPrefix("dead_")
    }

    var deadKey: DeadKey { DeadKey(rawValue: UInt16(truncatingIfNeeded: rawValue)) }

    static func < (left: Keysym, right: Keysym) -> Bool { left.rawValue < right.rawValue }
}

extension Keysym {
    /// Creates a keysym from a constant of `xkbcommon-keysyms.h`, which Swift imports as a signed number.
    init(_ number: Int32) { self.init(rawValue: xkb_keysym_t(bitPattern: number)) }

    static let none = Keysym(XKB_KEY_NoSymbol)
    static let capsLock = Keysym(XKB_KEY_Caps_Lock)
    static let numLock = Keysym(XKB_KEY_Num_Lock)
    static let rightAlt = Keysym(XKB_KEY_Alt_R)
    static let level3Shift = Keysym(XKB_KEY_ISO_Level3_Shift)
    static let level3Latch = Keysym(XKB_KEY_ISO_Level3_Latch)
    static let level5Shift = Keysym(XKB_KEY_ISO_Level5_Shift)
    static let level5Latch = Keysym(XKB_KEY_ISO_Level5_Latch)

    /// The keysyms of Enter and keypad Enter, which type the same character with and without Shift.
    static let enterKeys: Set<Keysym> = [Keysym(XKB_KEY_Return), Keysym(XKB_KEY_KP_Enter)]

    /// The keysyms of keys such as Tab, which type a control character without modifiers.
    static let editingKeys: Set<Keysym> = [
        Keysym(XKB_KEY_Tab), Keysym(XKB_KEY_Escape), Keysym(XKB_KEY_BackSpace),
        Keysym(XKB_KEY_Delete), Keysym(XKB_KEY_Linefeed),
    ]
}

extension String {
    /// Creates a string of up to `longest` bytes; `write` fills a buffer and returns the length.
    init(longest: Int, _ write: (UnsafeMutableBufferPointer<CChar>) -> Int32) {
        self = withUnsafeTemporaryAllocation(of: CChar.self, capacity: longest + 1) { buffer in
            let length = Swift.max(0, Swift.min(Int(write(buffer)), longest))
            return String(decoding: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}
