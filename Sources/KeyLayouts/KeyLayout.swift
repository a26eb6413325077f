internal import WireText

/// The name of a keyboard layout, with the variant of it that is meant.
///
/// ```swift
/// try KeyLayout("de")               // German, as it comes
/// try KeyLayout("de:nodeadkeys")    // German without dead keys
/// ```
///
/// The names are those of XKB, which `setxkbmap -layout` and `-variant` take too. That a name is
/// well formed does not mean that there is such a layout: ``KeyLayoutCompiler`` tells.
package struct KeyLayout: Hashable, Sendable {
    /// The layout, for instance `de`.
    package let name: String
    /// The variant, for instance `nodeadkeys`; nil for the layout as it comes.
    package let variant: String?

    /// Reads a name as it is written in a configuration.
    ///
    /// Only ASCII letters, digits, `-` and `_` are taken: XKB puts the name into an instruction of
    /// its own (`pc+de(nodeadkeys)`), and nothing else may get in there.
    ///
    /// - Parameter text: `LAYOUT` or `LAYOUT:VARIANT`.
    /// - Throws: ``KeyLayoutError/malformedName(_:)``.
    package init(_ text: String) throws(KeyLayoutError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy(Self.isWellFormed) else {
            throw .malformedName(text)
        }
        name = String(parts[0])
        variant = parts.count == 2 ? String(parts[1]) : nil
    }

    /// A name from the registry, which spells a layout without variant with none or an empty one.
    init?(name: String, variant: String?) {
        let variant = variant.flatMap { $0.isEmpty ? nil : $0 }
        guard Self.isWellFormed(name[...]), variant.map({ Self.isWellFormed($0[...]) }) ?? true
        else { return nil }
        self.name = name
        self.variant = variant
    }

    private static func isWellFormed(_ part: Substring) -> Bool {
        (1...64).contains(part.utf8.count)
            && part.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}

extension KeyLayout: CustomStringConvertible {
    /// The name as it is written in a configuration.
    package var description: String {
        variant.map { "\(name):\($0)" } ?? name
    }
}

extension KeyLayout {
    /// The layouts a scanner is likely to be set to, the likeliest first.
    ///
    /// A choice of ours, for ``LayoutSuspicion``: a scanner leaves the factory set to `us`, and is
    /// then set to the keyboard of a country. No maker's list; what is not in it is not suspected.
    package static let commonOnScanners: [KeyLayout] = [
        ("us", nil), ("de", nil), ("fr", nil), ("gb", nil), ("es", nil), ("it", nil),
        ("ch", nil), ("ch", "fr"), ("be", nil), ("nl", nil), ("pt", nil), ("br", nil),
        ("se", nil), ("no", nil), ("dk", nil), ("fi", nil), ("pl", nil), ("cz", nil),
        ("cz", "qwerty"), ("sk", nil), ("sk", "qwerty"), ("hu", nil), ("hu", "qwerty"),
        ("si", nil), ("hr", nil), ("ro", nil), ("tr", nil), ("tr", "f"), ("ru", nil),
        ("bg", nil), ("gr", nil), ("il", nil), ("jp", nil), ("latam", nil), ("ca", nil),
        ("us", "intl"), ("us", "dvorak"),
    ].compactMap { (name: String, variant: String?) in KeyLayout(name: name, variant: variant) }
}

/// Why there is no table for a layout.
package enum KeyLayoutError: Error, Hashable, Sendable {
    /// The text is not of the form `LAYOUT` or `LAYOUT:VARIANT`.
    case malformedName(String)
    /// XKB knows no such layout; with the nearest names there are, the nearest first.
    case unknownLayout(String, nearest: [String])
    /// XKB knows the layout and not the variant; with the nearest variants it has.
    case unknownVariant(String, of: String, nearest: [String])
    /// XKB knows the layout, but what is installed of it is broken.
    case notCompiled(KeyLayout)
    /// XKB's keyboard data is not installed.
    case noKeyboardData
}

extension KeyLayoutError: CustomStringConvertible {
    /// One sentence for a person.
    package var description: String {
        switch self {
        case .malformedName(let text):
            "\(text.quoted(upTo: .max)) is no layout's name; expected LAYOUT or LAYOUT:VARIANT, each of"
                + " letters, digits, - and _, for instance de:nodeadkeys"
        case .unknownLayout(let name, let nearest):
            "there is no layout \(name.quoted(upTo: .max))\(Self.suggestion(nearest))"
        case .unknownVariant(let variant, let layout, let nearest):
            "layout \(layout.quoted(upTo: .max)) has no variant \(variant.quoted(upTo: .max))"
                + Self.suggestion(nearest)
        case .notCompiled(let layout):
            "layout \(layout.description.quoted(upTo: .max)) is listed, but the keyboard data that is"
                + " installed of it is broken; install the package xkb-data anew"
        case .noKeyboardData:
            "there is no keyboard data; install the package xkb-data"
        }
    }

    private static func suggestion(_ nearest: [String]) -> String {
        guard let last = nearest.last else { return "; \"keywedge layouts list\" shows all" }
        let others = nearest.dropLast().map { $0.quoted(upTo: .max) }.joined(separator: ", ")
        return "; the nearest \(nearest.count == 1 ? "is" : "are") "
            + (others.isEmpty
                ? last.quoted(upTo: .max) : "\(others) and \(last.quoted(upTo: .max))")
    }
}
