internal import CXKBCommon
internal import Keystrokes

/// A keymap's symbol for every key at every level.
///
/// The symbols come from `xkb_state_key_get_one_sym`, which applies Caps Lock even to keys whose XKB type does not
/// mention it. `xkb_state_key_get_utf32` is unsuitable: it also applies Control, and returns 1 for Ctrl+1, which has no
/// control character.
///
/// A key that produces several symbols together has no symbol here, because choosing one would be a guess.
struct KeymapSymbols {
    let keys: [KeyCode]
    private var symbols: [Keysym]
    private var consumesControl: [Bool]

    /// Reads a keymap; nil if memory runs out.
    init?(_ keymap: borrowing XKBKeymap) {
        keys = keymap.keys
        symbols = Array(repeating: .none, count: 256 * KeyLevel.count)
        consumesControl = Array(repeating: false, count: 256 * KeyLevel.count)
        guard let state = xkb_state_new(keymap.pointer) else { return nil }
        defer { xkb_state_unref(state) }
        let masks = ModifierMasks(keymap)
        for level in KeyLevel.all {
            let locks = level.intersection([.caps, .num])
            let (held, locked) = (masks.mask(of: level.subtracting(locks)), masks.mask(of: locks))
            _ = xkb_state_update_mask(state, held, 0, locked, 0, 0, 0)
            for key in keys {
                let keycode = XKBKeymap.keycode(key)
                let index = Self.index(key, level)
                symbols[index] = Keysym(rawValue: xkb_state_key_get_one_sym(state, keycode))
                consumesControl[index] =
                    level.contains(.control)
                    && xkb_state_mod_index_is_consumed2(
                        state, keycode, masks.controlIndex, XKB_CONSUMED_MODE_XKB) > 0
            }
        }
    }

    subscript(key: KeyCode, level: KeyLevel) -> Keysym { symbols[Self.index(key, level)] }

    /// Whether Control helps to select the key's symbol instead of making a control character.
    func consumesControl(_ key: KeyCode, _ level: KeyLevel) -> Bool {
        consumesControl[Self.index(key, level)]
    }

    /// Whether any key produces one of the `wanted` symbols, alone or with Shift.
    func contains(_ wanted: Set<Keysym>) -> Bool {
        keys.contains { wanted.contains(self[$0, []]) || wanted.contains(self[$0, .shift]) }
    }

    private static func index(_ key: KeyCode, _ level: KeyLevel) -> Int {
        Int(key.rawValue) * KeyLevel.count + Int(level.rawValue)
    }
}

/// The modifier bits that a keymap uses for each element of a ``KeyLevel``, such as Shift or AltGr.
///
/// Shift, Lock and Control have fixed bits. The bits of the other modifiers depend on the keymap, so the initializer
/// simulates a press of each modifier's key and reads the bits that it sets. Every keymap contains these keys, even if
/// no keyboard has them.
struct ModifierMasks {
    private let masks: [(part: KeyLevel, mask: xkb_mod_mask_t)]
    let controlIndex: xkb_mod_index_t

    init(_ keymap: borrowing XKBKeymap) {
        controlIndex = xkb_keymap_mod_get_index(keymap.pointer, XKB_MOD_NAME_CTRL)
        masks = [
            (.shift, Self.mask(named: XKB_MOD_NAME_SHIFT, in: keymap)),
            (.control, Self.mask(named: XKB_MOD_NAME_CTRL, in: keymap)),
            (.altGr, Self.mask(setBy: [.level3Shift, .level3Latch], in: keymap)),
            (.level5, Self.mask(setBy: [.level5Shift, .level5Latch], in: keymap)),
            (.caps, Self.mask(named: XKB_MOD_NAME_CAPS, in: keymap)),
            (.num, Self.mask(setBy: [.numLock], in: keymap)),
        ]
    }

    func mask(of level: KeyLevel) -> xkb_mod_mask_t {
        masks.reduce(0) { level.contains($1.part) ? $0 | $1.mask : $0 }
    }

    private static func mask(
        named name: String, in keymap: borrowing XKBKeymap
    ) -> xkb_mod_mask_t {
        let index = xkb_keymap_mod_get_index(keymap.pointer, name)
        return index < 32 ? 1 << index : 0
    }

    /// Returns the modifier bits that a key with any of `symbols` sets; 0 if no key has them.
    private static func mask(
        setBy symbols: [Keysym], in keymap: borrowing XKBKeymap
    ) -> xkb_mod_mask_t {
        for symbol in symbols {
            let first = xkb_keymap_min_keycode(keymap.pointer)
            let last = xkb_keymap_max_keycode(keymap.pointer)
            for keycode in first...last where keymap.plainSymbol(of: keycode) == symbol {
                guard let state = xkb_state_new(keymap.pointer) else { return 0 }
                defer { xkb_state_unref(state) }
                _ = xkb_state_update_key(state, keycode, XKB_KEY_DOWN)
                let mask = xkb_state_serialize_mods(state, XKB_STATE_MODS_EFFECTIVE)
                if mask != 0 { return mask }
            }
        }
        return 0
    }
}
