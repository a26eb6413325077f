internal import CXKBCommon

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
