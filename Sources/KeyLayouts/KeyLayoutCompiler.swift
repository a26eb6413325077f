internal import Keystrokes

/// Makes key tables of XKB layouts.
///
/// A compiler holds libxkbcommon's context and compose table, so that many layouts can be compiled
/// one after the other; the tables it makes hold nothing of the library. For one layout,
/// ``CompiledLayout/init(_:)`` is shorter.
///
/// Layouts that switch between groups (Latin and Cyrillic, say) are compiled as the group they are
/// named for; the key that switches means nothing.
package struct KeyLayoutCompiler: ~Copyable {
    private let context: XKBContext
    private let compose: ComposeTable?

    /// Prepares for compiling with what is installed on this box.
    ///
    /// - Throws: ``KeyLayoutError/noKeyboardData``.
    package init() throws(KeyLayoutError) {
        try self.init(composeFile: ComposeTable.systemFile)
    }

    /// Prepares for compiling with a Compose file of one's own.
    ///
    /// - Parameter composeFile: The path of the file that says what dead keys give; where it cannot
    ///   be read, dead keys give nothing, and ``CompiledLayout/lacksComposeFile`` says so.
    /// - Throws: ``KeyLayoutError/noKeyboardData``.
    package init(composeFile: String) throws(KeyLayoutError) {
        guard let context = XKBContext() else { throw .noKeyboardData }
        compose = ComposeTable(file: composeFile, in: context)
        self.context = context
    }

    /// Compiles a layout.
    ///
    /// - Parameter layout: The layout.
    /// - Returns: Its table.
    /// - Throws: ``KeyLayoutError/unknownLayout(_:nearest:)``,
    ///   ``KeyLayoutError/unknownVariant(_:of:nearest:)``, ``KeyLayoutError/notCompiled(_:)``.
    package func compile(_ layout: KeyLayout) throws(KeyLayoutError) -> CompiledLayout {
        guard let keymap = XKBKeymap(layout, in: context), let symbols = KeymapSymbols(keymap)
        else { throw try KeyLayoutRegistry.installed().error(for: layout) }
        var table = KeyTableBuilder(symbols).table
        table.register(LatchReader.pairs(symbols, table))
        var reader = DeadKeyReader(symbols, table)
        guard reader.hasDeadKeys else { return CompiledLayout(layout: layout, table: table) }
        switch compose {
        case .some(let compose): table.register(reader.pairs(from: compose))
        case .none:
            return CompiledLayout(layout: layout, table: table, lacksComposeFile: true)
        }
        return CompiledLayout(layout: layout, table: table)
    }
}
