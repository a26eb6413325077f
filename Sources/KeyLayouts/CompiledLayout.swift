package import Keystrokes

/// A layout and the table it was compiled to.
package struct CompiledLayout: Hashable, Sendable {
    package let layout: KeyLayout
    /// What each key means on it.
    package let table: KeyTable
    /// Whether the layout has dead keys and nothing is installed that says what they give.
    ///
    /// A scan with a dead key is rejected then: ``composeNotice`` is for the log.
    package let lacksComposeFile: Bool

    package init(layout: KeyLayout, table: KeyTable, lacksComposeFile: Bool = false) {
        self.layout = layout
        self.table = table
        self.lacksComposeFile = lacksComposeFile
    }

    /// Compiles a layout with what is installed on this box.
    ///
    /// - Parameter layout: The layout.
    /// - Throws: As ``KeyLayoutCompiler/compile(_:)``, and ``KeyLayoutError/noKeyboardData``.
    package init(_ layout: KeyLayout) throws(KeyLayoutError) {
        self = try KeyLayoutCompiler().compile(layout)
    }

    /// One sentence for the log where dead keys give nothing; nil where all is well.
    package var composeNotice: String? {
        guard lacksComposeFile else { return nil }
        return "layout \(layout) has dead keys, and what they give is not installed, so a scan with"
            + " one is rejected; install the package libx11-data"
    }
}

extension CompiledLayout {
    /// The layout that takes no library: the US one.
    package static let us = CompiledLayout(layout: .us, table: .us)

    /// Compiles the layout of a name; `us` is ``us``.
    ///
    /// - Parameter name: `LAYOUT` or `LAYOUT:VARIANT`.
    /// - Throws: ``KeyLayoutError``.
    package init(named name: String) throws(KeyLayoutError) {
        let layout = try KeyLayout(name)
        if layout == .us {
            self = .us
        } else {
            try self.init(layout)
        }
    }
}

extension KeyLayout {
    /// The US layout.
    package static let us = KeyLayout(plain: "us")

    private init(plain name: String) {
        self.name = name
        variant = nil
    }
}
