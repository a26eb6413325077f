package import Keystrokes

/// A compiler that turns XKB layouts into key tables.
///
/// A compiler loads libxkbcommon's context and compose table once and reuses them for every layout. Each thread needs
/// its own compiler, but all threads can share the tables. For a single layout, use ``CompiledLayout/init(_:)``.
///
/// If a layout has several groups, such as Latin and Cyrillic, only the first group is compiled, and the key that
/// switches between groups types nothing.
package struct KeyLayoutCompiler: ~Copyable {
    private let context: XKBContext
    private let compose: ComposeTable?

    package init() throws(KeyLayoutError) {
        try self.init(composeFile: ComposeTable.systemFile)
    }

    /// Creates a compiler with this Compose file; if reading fails, dead keys do not combine.
    package init(composeFile: String) throws(KeyLayoutError) {
        guard let context = XKBContext() else { throw .noKeyboardData }
        compose = ComposeTable(file: composeFile, in: context)
        self.context = context
    }

    package func compile(_ layout: KeyLayout) throws(KeyLayoutError) -> CompiledLayout {
        guard let keymap = XKBKeymap(layout, in: context), let symbols = KeymapSymbols(keymap)
        else { throw try KeyLayoutRegistry.installed().error(for: layout) }
        var table = KeyTableBuilder(symbols).table
        table.register(LatchReader.pairs(symbols, table))
        var reader = DeadKeyReader(symbols, table)
        var lacksComposeFile = false
        switch compose {
        case .some(let compose): table.register(reader.pairs(from: compose))
        case .none: lacksComposeFile = reader.hasDeadKeys
        }
        return CompiledLayout(layout: layout, table: table, lacksComposeFile: lacksComposeFile)
    }
}

package struct CompiledLayout: Hashable, Sendable {
    package let layout: KeyLayout
    package let table: KeyTable
    /// Whether the layout has dead keys, but the Compose file for them is missing.
    package let lacksComposeFile: Bool

    package static let us = CompiledLayout(layout: .us, table: .us)

    package init(layout: KeyLayout, table: KeyTable, lacksComposeFile: Bool = false) {
        self.layout = layout
        self.table = table
        self.lacksComposeFile = lacksComposeFile
    }

    package init(_ layout: KeyLayout) throws(KeyLayoutError) {
        self = try KeyLayoutCompiler().compile(layout)
    }

    /// Compiles a layout, given as `LAYOUT` or `LAYOUT:VARIANT`; `us` needs no keyboard data.
    package init(named name: String) throws(KeyLayoutError) {
        let layout = try KeyLayout(name)
        self = layout == .us ? .us : try CompiledLayout(layout)
    }

    /// A warning to print if the layout has dead keys but the Compose file is missing; nil otherwise.
    package var composeNotice: String? {
        guard lacksComposeFile else { return nil }
        return "layout \(layout) has dead keys, and the file that defines their characters is not"
            + " installed, so a scan with a dead key is rejected; install the package libx11-data"
    }
}
