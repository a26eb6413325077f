internal import CXKBCommon
internal import Keystrokes

/// Which of a keymap's modifier bits stand for the parts of a ``KeyLevel``.
///
/// Shift, Lock and Control are fixed. The others are virtual: each keymap ties them to a bit of its
/// own through the key that sets them, so that key is pressed and the bits it sets are read off.
/// Every keymap has such a key, if only a fake one that no keyboard has.
struct ModifierMasks {
    private var held: [(part: KeyLevel, mask: xkb_mod_mask_t)] = []
    private var locked: [(part: KeyLevel, mask: xkb_mod_mask_t)] = []
    /// The keymap's number for Control.
    let controlIndex: xkb_mod_index_t

    init(_ keymap: borrowing XKBKeymap) {
        controlIndex = xkb_keymap_mod_get_index(keymap.pointer, XKB_MOD_NAME_CTRL)
        held = [
            (.shift, Self.mask(named: XKB_MOD_NAME_SHIFT, in: keymap)),
            (.control, Self.mask(named: XKB_MOD_NAME_CTRL, in: keymap)),
            (.altGr, Self.mask(setBy: [.level3Shift, .level3Latch], in: keymap)),
            (.level5, Self.mask(setBy: [.level5Shift, .level5Latch], in: keymap)),
        ]
        locked = [
            (.caps, Self.mask(named: XKB_MOD_NAME_CAPS, in: keymap)),
            (.num, Self.mask(setBy: [.numLock], in: keymap)),
        ]
    }

    /// The bits that are held at a level.
    func held(at level: KeyLevel) -> xkb_mod_mask_t { Self.sum(held, at: level) }

    /// The bits that are locked at a level.
    func locked(at level: KeyLevel) -> xkb_mod_mask_t { Self.sum(locked, at: level) }

    private static func sum(
        _ masks: [(part: KeyLevel, mask: xkb_mod_mask_t)], at level: KeyLevel
    ) -> xkb_mod_mask_t {
        masks.reduce(0) { level.contains($1.part) ? $0 | $1.mask : $0 }
    }

    private static func mask(
        named name: String, in keymap: borrowing XKBKeymap
    ) -> xkb_mod_mask_t {
        let index = xkb_keymap_mod_get_index(keymap.pointer, name)
        return index < 32 ? 1 << index : 0
    }

    /// The bits that a key sets whose plain meaning is the first of `symbols` that there is.
    private static func mask(
        setBy symbols: [Keysym], in keymap: borrowing XKBKeymap
    ) -> xkb_mod_mask_t {
        for symbol in symbols {
            let first = xkb_keymap_min_keycode(keymap.pointer)
            let last = xkb_keymap_max_keycode(keymap.pointer)
            for keycode in first...last where keymap.plainSymbol(of: keycode) == symbol {
                let mask = mask(setBy: keycode, in: keymap)
                if mask != 0 { return mask }
            }
        }
        return 0
    }

    private static func mask(
        setBy keycode: xkb_keycode_t, in keymap: borrowing XKBKeymap
    ) -> xkb_mod_mask_t {
        guard let state = xkb_state_new(keymap.pointer) else { return 0 }
        defer { xkb_state_unref(state) }
        _ = xkb_state_update_key(state, keycode, XKB_KEY_DOWN)
        return xkb_state_serialize_mods(state, XKB_STATE_MODS_EFFECTIVE)
    }
}

extension XKBKeymap {
    /// What a key means with nothing held, or nil.
    fileprivate func plainSymbol(of keycode: xkb_keycode_t) -> Keysym? {
        var symbols: UnsafePointer<xkb_keysym_t>?
        let count = xkb_keymap_key_get_syms_by_level(pointer, keycode, 0, 0, &symbols)
        guard count == 1, let symbols else { return nil }
        return Keysym(rawValue: symbols[0])
    }
}
