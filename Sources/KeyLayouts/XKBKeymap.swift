internal import CXKBCommon
internal import Keystrokes

/// The compiled keymap of a layout: a PC's 105 keys as the kernel numbers them, no options.
struct XKBKeymap: ~Copyable {
    let pointer: OpaquePointer

    /// Compiles a keymap; nil where there is no such layout, or what is installed of it is broken.
    init?(_ layout: KeyLayout, in context: borrowing XKBContext) {
        let names = ["evdev", "pc105", layout.name, layout.variant ?? ""]
        let pointer = Self.withCStrings(names) { names in
            var names = xkb_rule_names(
                rules: names[0], model: names[1], layout: names[2], variant: names[3], options: nil)
            return xkb_keymap_new_from_names(
                context.pointer, &names, XKB_KEYMAP_COMPILE_NO_FLAGS)
        }
        guard let pointer else { return nil }
        self.pointer = pointer
    }

    deinit { xkb_keymap_unref(pointer) }

    /// The keys a table can hold, and that a keyboard can have.
    var keys: [KeyCode] {
        let first = max(xkb_keymap_min_keycode(pointer), Self.offset)
        let last = min(xkb_keymap_max_keycode(pointer), Self.offset + 0xFF)
        guard first <= last else { return [] }
        return (first...last).filter { isReal($0) }
            .map { KeyCode(rawValue: UInt16($0 - Self.offset)) }
    }

    /// What XKB adds to the kernel's number of a key.
    ///
    /// Source: xkeyboard-config, `keycodes/evdev`.
    private static let offset: xkb_keycode_t = 8

    static func keycode(_ key: KeyCode) -> xkb_keycode_t {
        xkb_keycode_t(key.rawValue) + offset
    }

    /// Keys that are on no keyboard: they carry the modifiers that a layout may leave without key.
    ///
    /// Source: xkeyboard-config, `keycodes/evdev`, "Fake keycodes for virtual keys".
    private static let fakeKeys: Set<String> = [
        "LVL3", "LVL5", "MDSW", "ALT", "META", "SUPR", "HYPR",
    ]

    private func isReal(_ keycode: xkb_keycode_t) -> Bool {
        guard let name = xkb_keymap_key_get_name(pointer, keycode) else { return false }
        return !Self.fakeKeys.contains(String(cString: name))
    }

    /// Lends several texts at once to C, for as long as `body` runs.
    private static func withCStrings<Result>(
        _ texts: [String], _ body: ([UnsafePointer<CChar>]) -> Result
    ) -> Result {
        let bytes = texts.flatMap { Array($0.utf8CString) }
        return bytes.withUnsafeBufferPointer { buffer in
            var pointers: [UnsafePointer<CChar>] = []
            var rest = buffer[...]
            for text in texts {
                let part = UnsafeBufferPointer(rebasing: rest)
                if let start = part.baseAddress { pointers.append(start) }
                rest = rest.dropFirst(text.utf8.count + 1)
            }
            return body(pointers)
        }
    }
}

/// libxkbcommon's context, which finds its files, logs nothing and asks no environment.
struct XKBContext: ~Copyable {
    let pointer: OpaquePointer

    /// Makes a context; nil where XKB's data is not installed.
    init?() {
        // Of the environment, only the names of default layouts would be taken. The folders come
        // later: until the log is silent, a missing one would be told of.
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
