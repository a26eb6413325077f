internal import CXKBCommon

/// libxkbcommon's compose table: what dead keys and the keys after them give.
struct ComposeTable: ~Copyable {
    /// What has come of a sequence of keys.
    enum Outcome: Equatable {
        /// No sequence begins like that.
        case nothing
        /// More keys are needed.
        case unfinished
        case text(String)
    }

    /// The file of the UTF-8 locales, the same for nearly all of them.
    ///
    /// It is named rather than found through the locale, because libxkbcommon would first take the
    /// Compose file of whoever runs keywedge, and a code must not depend on that.
    static let systemFile = "/usr/share/X11/locale/en_US.UTF-8/Compose"

    private let table: OpaquePointer
    private let state: OpaquePointer

    /// Reads a Compose file; nil where there is none, or none that libxkbcommon understands.
    init?(file path: String, in context: borrowing XKBContext) {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        guard
            let table = xkb_compose_table_new_from_file(
                context.pointer, file, "en_US.UTF-8", XKB_COMPOSE_FORMAT_TEXT_V1,
                XKB_COMPOSE_COMPILE_NO_FLAGS)
        else { return nil }
        guard let state = xkb_compose_state_new(table, XKB_COMPOSE_STATE_NO_FLAGS) else {
            xkb_compose_table_unref(table)
            return nil
        }
        self.table = table
        self.state = state
    }

    deinit {
        xkb_compose_state_unref(state)
        xkb_compose_table_unref(table)
    }

    /// What the keys of `sequence` give, pressed one after the other.
    func outcome(of sequence: [Keysym]) -> Outcome {
        xkb_compose_state_reset(state)
        for symbol in sequence { _ = xkb_compose_state_feed(state, symbol.rawValue) }
        switch xkb_compose_state_get_status(state) {
        case XKB_COMPOSE_COMPOSING: return .unfinished
        case XKB_COMPOSE_COMPOSED: return .text(text())
        default: return .nothing
        }
    }

    private func text() -> String {
        var buffer: [CChar] = Array(repeating: 0, count: 256)
        let length = xkb_compose_state_get_utf8(state, &buffer, buffer.count)
        let bytes = buffer.prefix(max(0, min(Int(length), buffer.count - 1)))
        return String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
