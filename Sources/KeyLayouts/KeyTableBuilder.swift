internal import CXKBCommon
internal import Keystrokes

/// A builder that makes a ``KeyTable`` from XKB's symbols for a layout, with the same rules as `KeyTable.us`.
///
/// - A key types the character that XKB defines for the level. If XKB defines none, as for function keys, arrows and
///   the switch to another group, the key is unknown.
/// - If no key of a layout selects the third or fifth level, keys type nothing at that level.
/// - The keypad types as if Num Lock were on, regardless of Num Lock and Shift.
/// - With Control, a key types the result of `KeyTable.controlCharacter`; see ``registerMissingControls()``.
/// - On a layout without AltGr, such as `us`, right Alt is treated as AltGr; keys type nothing while it is down.
struct KeyTableBuilder {
    private(set) var table = KeyTable()
    private let symbols: KeymapSymbols
    private let levels = KeyLevel.all
    /// The levels (third, fifth or both) that no key of the layout selects.
    private let missing: KeyLevel

    init(_ symbols: KeymapSymbols) {
        self.symbols = symbols
        var missing: KeyLevel = []
        if !symbols.contains([.level3Shift, .level3Latch]) { missing.insert(.altGr) }
        if !symbols.contains([.level5Shift, .level5Latch]) { missing.insert(.level5) }
        self.missing = missing
        for key in symbols.keys { register(key) }
        registerMissingControls()
    }

    private mutating func register(_ key: KeyCode) {
        let plain = symbols[key, []]
        if let modifier = modifier(plain) {
            for level in levels {
                // On some layouts, both Shift keys together act as Caps Lock.
                let isCaps = symbols[key, level] == .capsLock
                table[key, level] = isCaps ? .capsLock : .modifier(modifier)
            }
        } else if plain == .capsLock {
            table.register(.capsLock, for: key)
        } else if plain == .numLock {
            table.register(.ignored, for: key)
        } else {
            let isKeypad = Self.keypad.contains(key) || Keysym.enterKeys.contains(plain)
            for level in levels where level.isDisjoint(with: missing) {
                table[key, level] =
                    isKeypad ? keypadMeaning(of: key, at: level) : meaning(of: key, at: level)
            }
        }
    }

    private func meaning(of key: KeyCode, at level: KeyLevel) -> KeyMeaning {
        let symbol = symbols[key, level]
        guard symbol != .none else { return .unknown }
        if Keysym.editingKeys.contains(symbol), !level.isDisjoint(with: Self.withoutEditing),
            level.contains(.control) || symbol == symbols[key, []]
        {
            return .unknown
        }
        let control = level.contains(.control) && !symbols.consumesControl(key, level)
        return meaning(of: symbol, control: control)
    }

    private func meaning(of symbol: Keysym, control: Bool) -> KeyMeaning {
        if symbol == .capsLock { return .capsLock }
        if symbol == .level3Latch || symbol == .level5Latch || symbol.isDead {
            return control ? .unknown : .dead(symbol.deadKey)
        }
        guard let scalar = symbol.scalar else { return .unknown }
        guard control else { return .character(scalar) }
        return KeyTable.controlCharacter(of: scalar).map(KeyMeaning.character) ?? .unknown
    }

    private func keypadMeaning(of key: KeyCode, at level: KeyLevel) -> KeyMeaning {
        guard !level.contains(.control) else { return .unknown }
        let choosers = level.intersection([.altGr, .level5])
        let counted: KeyLevel = choosers.isEmpty ? [.num] : level.union(.num)
        return symbols[key, counted].scalar.map(KeyMeaning.character) ?? .unknown
    }

    private static let withoutEditing: KeyLevel = [.shift, .altGr, .level5, .control]
    private static let keypad: Set<KeyCode> = [
        .kp0, .kp1, .kp2, .kp3, .kp4, .kp5, .kp6, .kp7, .kp8, .kp9, .kpdot, .kpslash, .kpasterisk,
        .kpminus, .kpplus, .kpequal, .kpcomma, .kpenter,
    ]

    private func modifier(_ symbol: Keysym) -> ModifierKey? {
        if symbol == .rightAlt { return missing.contains(.altGr) ? .altGr : .alt }
        return Self.modifiers[symbol]
    }

    private static let modifiers: [Keysym: ModifierKey] = [
        Keysym(XKB_KEY_Shift_L): .leftShift, Keysym(XKB_KEY_Shift_R): .rightShift,
        Keysym(XKB_KEY_Control_L): .leftControl, Keysym(XKB_KEY_Control_R): .rightControl,
        Keysym(XKB_KEY_Alt_L): .alt, .level3Shift: .altGr, .level5Shift: .level5,
        Keysym(XKB_KEY_Super_L): .meta, Keysym(XKB_KEY_Super_R): .meta,
        Keysym(XKB_KEY_Meta_L): .meta, Keysym(XKB_KEY_Meta_R): .meta,
        Keysym(XKB_KEY_Hyper_L): .meta, Keysym(XKB_KEY_Hyper_R): .meta,
    ]
}

extension KeyTableBuilder {
    /// Registers the control characters that the layout lacks, on the keys that type them on `us`.
    ///
    /// A key that already types something with Control keeps its meaning. A German keyboard has `]` on AltGr, and a
    /// Russian one has no Latin letters, but on both, Control with the key at the position of the US `]` types U+001D.
    /// Without this rule, a scanner could not send GS, the separator of GS1, on most layouts.
    ///
    /// Sources: ReactOS, `dll/keyboard/kbdgr/kbdgr.c`, which has U+001B, U+001D, U+001C and U+001E on the keys of ü, +,
    /// # and &, as Windows does; libxkbcommon does the same for letters if `us` is configured as a second group.
    private mutating func registerMissingControls() {
        var given: Set<Unicode.Scalar> = []
        for key in symbols.keys {
            for level in [.control, [.control, .shift]] as [KeyLevel] {
                guard let plain = symbols[key, level].scalar, ("@"..."~").contains(plain),
                    case .character(let character) = table[key, level]
                else { continue }
                given.insert(character)
            }
        }
        let typed = levels.filter {
            $0.contains(.control) && $0.isDisjoint(with: [.altGr, .level5])
        }
        for key in symbols.keys {
            for level in typed {
                guard table[key, level] == .unknown,
                    case .character(let plain) = KeyTable.us[key, level.subtracting(.control)],
                    ("@"..."~").contains(plain),
                    let character = KeyTable.controlCharacter(of: plain),
                    !given.contains(character)
                else { continue }
                table[key, level] = .character(character)
            }
        }
    }
}
