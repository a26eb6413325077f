internal import WireText

/// Why there is no table for a layout.
public enum KeyLayoutError: Error, Hashable, Sendable {
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
    public var description: String {
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
