internal import CXKBCommon
internal import Keystrokes

/// What every key of a keymap stands for at every level.
///
/// Asked for is `xkb_state_key_get_one_sym`, which knows what Caps Lock makes of a key whose type
/// says nothing of it. `xkb_state_key_get_utf32` is not asked: it applies Control to any character
/// and leaves those that have no control character as they are, so that Ctrl+1 would be a 1. A key
/// that gives several symbols at once has none here: which of them is meant would be a guess.
struct KeymapSymbols {
    /// The keys there are.
    let keys: [KeyCode]
    private var symbols: [Keysym]
    private var consumesControl: [Bool]

    /// Reads a keymap; nil where memory is short.
    init?(_ keymap: borrowing XKBKeymap) {
        keys = keymap.keys
        symbols = Array(repeating: .none, count: 256 * KeyLevel.count)
        consumesControl = Array(repeating: false, count: 256 * KeyLevel.count)
        guard let state = xkb_state_new(keymap.pointer) else { return nil }
        defer { xkb_state_unref(state) }
        let masks = ModifierMasks(keymap)
        for level in KeyLevel.all {
            _ = xkb_state_update_mask(
                state, masks.held(at: level), 0, masks.locked(at: level), 0, 0, 0)
            for key in keys { read(key, level, from: state, control: masks.controlIndex) }
        }
    }

    /// What `key` stands for at `level`.
    subscript(key: KeyCode, level: KeyLevel) -> Keysym { symbols[Self.index(key, level)] }

    /// Whether Control chose that symbol, and so does not change the character of it.
    func consumesControl(_ key: KeyCode, _ level: KeyLevel) -> Bool {
        consumesControl[Self.index(key, level)]
    }

    /// Whether any key stands for one of `wanted`, at any level that needs no chooser.
    func contains(_ wanted: Set<Keysym>) -> Bool {
        keys.contains { wanted.contains(self[$0, []]) || wanted.contains(self[$0, .shift]) }
    }

    private mutating func read(
        _ key: KeyCode, _ level: KeyLevel, from state: OpaquePointer, control: xkb_mod_index_t
    ) {
        let keycode = XKBKeymap.keycode(key)
        let symbol = xkb_state_key_get_one_sym(state, keycode)
        guard symbol != 0 else { return }
        let index = Self.index(key, level)
        symbols[index] = Keysym(rawValue: symbol)
        guard level.contains(.control) else { return }
        consumesControl[index] =
            xkb_state_mod_index_is_consumed2(state, keycode, control, XKB_CONSUMED_MODE_XKB) > 0
    }

    private static func index(_ key: KeyCode, _ level: KeyLevel) -> Int {
        Int(key.rawValue) * KeyLevel.count + Int(level.rawValue)
    }
}
