internal import CXKBCommon
internal import Keystrokes

/// A layout's compiled XKB keymap for a PC keyboard with 105 keys.
struct XKBKeymap: ~Copyable {
    let pointer: OpaquePointer

    /// Compiles a keymap; nil if the layout is unknown, or if its installed data is broken.
    init?(_ layout: KeyLayout, in context: borrowing XKBContext) {
        let pointer = layout.name.withCString { name in
            (layout.variant ?? "").withCString { variant in
                "evdev".withCString { rules in
                    "pc105".withCString { model in
                        var names = xkb_rule_names(
                            rules: rules, model: model, layout: name, variant: variant,
                            options: nil)
                        return xkb_keymap_new_from_names(
                            context.pointer, &names, XKB_KEYMAP_COMPILE_NO_FLAGS)
                    }
                }
            }
        }
        guard let pointer else { return nil }
        self.pointer = pointer
    }

    deinit { xkb_keymap_unref(pointer) }

    /// The keys with Linux key codes 0 to 255, the range of a ``KeyTable``, except XKB's fake keys.
    var keys: [KeyCode] {
        let first = max(xkb_keymap_min_keycode(pointer), Self.offset)
        let last = min(xkb_keymap_max_keycode(pointer), Self.offset + 0xFF)
        guard first <= last else { return [] }
        return (first...last).filter { isReal($0) }
            .map { KeyCode(rawValue: UInt16($0 - Self.offset)) }
    }

    /// Returns the single symbol that a key produces without modifiers; nil if it produces none or several.
    func plainSymbol(of keycode: xkb_keycode_t) -> Keysym? {
        var symbols: UnsafePointer<xkb_keysym_t>?
        let count = xkb_keymap_key_get_syms_by_level(pointer, keycode, 0, 0, &symbols)
        guard count == 1, let symbols else { return nil }
        return Keysym(rawValue: symbols[0])
    }

    /// The difference between XKB's keycode and the Linux key code of the same key.
    ///
    /// Source: xkeyboard-config, `keycodes/evdev`.
    private static let offset: xkb_keycode_t = 8

    static func keycode(_ key: KeyCode) -> xkb_keycode_t {
        xkb_keycode_t(key.rawValue) + offset
    }

    /// The names of XKB's fake keys: no keyboard has them, but they give every modifier a key in the keymap.
    ///
    /// Source: xkeyboard-config, `keycodes/evdev`, "Fake keycodes for virtual keys".
    private static let fakeKeys: Set<String> = [
        "LVL3", "LVL5", "MDSW", "ALT", "META", "SUPR", "HYPR",
    ]

    private func isReal(_ keycode: xkb_keycode_t) -> Bool {
        guard let name = xkb_keymap_key_get_name(pointer, keycode) else { return false }
        return !Self.fakeKeys.contains(String(cString: name))
    }
}

/// A libxkbcommon context, which finds the keyboard data; it logs only critical errors.
struct XKBContext: ~Copyable {
    let pointer: OpaquePointer

    /// Creates a context; nil if XKB's data is not installed.
    init?() {
        // Without the first flag, XKB would read default options from the environment. The log is silenced before the
        // folders are added, because XKB logs missing folders.
        let flags =
            XKB_CONTEXT_NO_ENVIRONMENT_NAMES.rawValue | XKB_CONTEXT_NO_DEFAULT_INCLUDES.rawValue
        guard let pointer = xkb_context_new(xkb_context_flags(rawValue: flags)) else { return nil }
        xkb_context_set_log_level(pointer, XKB_LOG_LEVEL_CRITICAL)
        guard xkb_context_include_path_append_default(pointer) != 0 else {
            xkb_context_unref(pointer)
            return nil
        }
        self.pointer = pointer
    }

    deinit { xkb_context_unref(pointer) }
}
