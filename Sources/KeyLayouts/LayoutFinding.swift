package import Keystrokes

/// Layouts that are likelier than the configured one, and why.
package struct LayoutFinding: Hashable, Sendable {
    /// The layouts, in the order they were added.
    package let layouts: [KeyLayout]
    /// What speaks for them.
    package let evidence: LayoutSuspicion.Evidence

    package init(layouts: [KeyLayout], evidence: LayoutSuspicion.Evidence) {
        self.layouts = layouts
        self.evidence = evidence
    }
}

extension LayoutFinding: CustomStringConvertible {
    /// One sentence for a person; it says nothing of the text, which may be confidential.
    package var description: String {
        let what =
            switch evidence {
            case .aimIdentifier: "an AIM identifier in front"
            case .digits: "a number of digits only"
            case .webAddress: "a web address"
            case .knownKey: "a character where there is none on the configured one"
            }
        let others = layouts.dropFirst().prefix(4).map(\.description).joined(separator: ", ")
        let names = layouts.first.map { $0.description + (others.isEmpty ? "" : " (or \(others))") }
        return "on layout \(names ?? "?") the same keys give \(what); the scanner may be set to it"
    }
}

/// Layouts, and a way of typing, that explain the keys of a scan.
package struct LayoutExplanation: Hashable, Sendable {
    /// The layouts that do, simple ones first; all of them type ASCII alike.
    package let layouts: [KeyLayout]
    /// The way of typing: what is set for Caps Lock, ALT mode and so on; its table does not count.
    package let settings: ScanSettings
    /// Whether every layout that was tried explains the keys in this way, so that the keys do not
    /// tell which it is: the text has too few characters.
    package let anyLayoutDoes: Bool
    /// Whether every character comes as its number, on which the layout has no say.
    package let needsNoLayout: Bool

    /// The AIM identifier that was ahead of the text; nil where there was none.
    package let aim: String?

    /// Makes an explanation.
    ///
    /// - Parameters:
    ///   - layouts: The layouts that do.
    ///   - settings: The way of typing.
    ///   - anyLayoutDoes: Whether every layout does.
    ///   - needsNoLayout: Whether every character comes as its number.
    ///   - aim: The AIM identifier that was ahead of the text.
    package init(
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

extension LayoutFinding {
    /// The likeliest layout that a finding names, from its words.
    ///
    /// - Parameter text: A text with a finding's ``description`` in it.
    /// - Returns: The layout; nil where it names none.
    package static func layout(in text: String) -> String? {
        guard let start = text.firstRange(of: "on layout ")?.upperBound else { return nil }
        let name = text[start...].prefix { $0 != " " }
        return (try? KeyLayout(String(name)))?.description
    }
}
