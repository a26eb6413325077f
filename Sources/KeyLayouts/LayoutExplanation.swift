public import Keystrokes

/// Layouts, and a way of typing, that explain the keys of a scan.
public struct LayoutExplanation: Hashable, Sendable {
    /// The layouts that do, simple ones first; all of them type ASCII alike.
    public let layouts: [KeyLayout]
    /// The way of typing: what is set for Caps Lock, ALT mode and so on; its table does not count.
    public let settings: ScanSettings
    /// Whether every layout that was tried explains the keys in this way, so that the keys do not
    /// tell which it is: the text has too few characters.
    public let anyLayoutDoes: Bool
    /// Whether every character comes as its number, on which the layout has no say.
    public let needsNoLayout: Bool

    /// The AIM identifier that was ahead of the text; nil where there was none.
    public let aim: String?

    /// Makes an explanation.
    ///
    /// - Parameters:
    ///   - layouts: The layouts that do.
    ///   - settings: The way of typing.
    ///   - anyLayoutDoes: Whether every layout does.
    ///   - needsNoLayout: Whether every character comes as its number.
    ///   - aim: The AIM identifier that was ahead of the text.
    public init(
        layouts: [KeyLayout], settings: ScanSettings, anyLayoutDoes: Bool = false,
        needsNoLayout: Bool = false, aim: String? = nil
    ) {
        self.layouts = layouts
        self.settings = settings
        self.anyLayoutDoes = anyLayoutDoes
        self.needsNoLayout = needsNoLayout
        self.aim = aim
    }
}
