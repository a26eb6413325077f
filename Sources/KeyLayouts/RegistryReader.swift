internal import CXKBRegistry

/// libxkbregistry's context, for as long as the registry is read.
struct RegistryReader: ~Copyable {
    private let context: OpaquePointer

    init?() {
        // The folders come later: until the log is silent, a missing one would be told of.
        let flags =
            RXKB_CONTEXT_LOAD_EXOTIC_RULES.rawValue | RXKB_CONTEXT_NO_DEFAULT_INCLUDES.rawValue
        guard let context = rxkb_context_new(rxkb_context_flags(rawValue: flags)) else {
            return nil
        }
        rxkb_context_set_log_level(context, RXKB_LOG_LEVEL_CRITICAL)
        guard rxkb_context_include_path_append_default(context),
            rxkb_context_parse(context, "evdev")
        else {
            rxkb_context_unref(context)
            return nil
        }
        self.context = context
    }

    deinit { rxkb_context_unref(context) }

    func entries() -> [KeyLayoutEntry] {
        var entries: [KeyLayoutEntry] = []
        var next = rxkb_layout_first(context)
        while let layout = next {
            if let entry = Self.entry(layout) { entries.append(entry) }
            next = rxkb_layout_next(layout)
        }
        return entries
    }

    private static func entry(_ layout: OpaquePointer) -> KeyLayoutEntry? {
        let name = rxkb_layout_get_name(layout).map { String(cString: $0) }
        let variant = rxkb_layout_get_variant(layout).map { String(cString: $0) }
        let title = rxkb_layout_get_description(layout).map { String(cString: $0) }
        guard let name, let layoutName = KeyLayout(name: name, variant: variant) else { return nil }
        return KeyLayoutEntry(
            layout: layoutName, title: title ?? name, languages: languages(layout),
            countries: countries(layout),
            isExotic: rxkb_layout_get_popularity(layout) == RXKB_POPULARITY_EXOTIC)
    }

    private static func languages(_ layout: OpaquePointer) -> [String] {
        var codes: [String] = []
        var next = rxkb_layout_get_iso639_first(layout)
        while let code = next {
            if let text = rxkb_iso639_code_get_code(code) { codes.append(String(cString: text)) }
            next = rxkb_iso639_code_next(code)
        }
        return codes
    }

    private static func countries(_ layout: OpaquePointer) -> [String] {
        var codes: [String] = []
        var next = rxkb_layout_get_iso3166_first(layout)
        while let code = next {
            if let text = rxkb_iso3166_code_get_code(code) { codes.append(String(cString: text)) }
            next = rxkb_iso3166_code_next(code)
        }
        return codes
    }
}
