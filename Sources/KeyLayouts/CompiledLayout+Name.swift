internal import Keystrokes

extension CompiledLayout {
    /// The layout that takes no library: the US one.
    public static let us = CompiledLayout(layout: .us, table: .us)

    /// Compiles the layout of a name; `us` is ``us``.
    ///
    /// - Parameter name: `LAYOUT` or `LAYOUT:VARIANT`.
    /// - Throws: ``KeyLayoutError``.
    public init(named name: String) throws(KeyLayoutError) {
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
    public static let us = KeyLayout(plain: "us")

    private init(plain name: String) {
        self.name = name
        variant = nil
    }
}
