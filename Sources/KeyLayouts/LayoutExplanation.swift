public import Keystrokes

/// Layouts, and a way of typing, that explain the keys of a scan.
public struct LayoutExplanation: Hashable, Sendable {
    /// The layouts that do, simple ones first; all of them type ASCII alike.
    public let layouts: [KeyLayout]
    /// The way of typing: what is set for Caps Lock, ALT mode and so on; its table does not count.
    public let settings: ScanSettings
    /// Whether every layout that was tried explains the keys in this way, so that the keys do not
    /// tell which it is: the text has too few characters, or ALT mode needs no layout.
    public let anyLayoutDoes: Bool

    /// Makes an explanation.
    ///
    /// - Parameters:
    ///   - layouts: The layouts that do.
    ///   - settings: The way of typing.
    ///   - anyLayoutDoes: Whether every layout does.
    public init(layouts: [KeyLayout], settings: ScanSettings, anyLayoutDoes: Bool = false) {
        self.layouts = layouts
        self.settings = settings
        self.anyLayoutDoes = anyLayoutDoes
    }
}
