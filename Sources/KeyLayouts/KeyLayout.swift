internal import WireText

/// The name of a keyboard layout, with or without a variant.
///
/// ```swift
/// try KeyLayout("de")               // German, no variant
/// try KeyLayout("de:nodeadkeys")    // German without dead keys
/// ```
///
/// The names are XKB's, as for `setxkbmap -layout` and `-variant`. XKB may not know a well-formed name;
/// ``KeyLayoutCompiler`` throws an error in that case.
package struct KeyLayout: Hashable, Sendable, CustomStringConvertible {
    package let name: String
    /// The variant, for instance `nodeadkeys`; nil for the plain layout.
    package let variant: String?

    private static func isWellFormed(_ part: Substring) -> Bool {
        (1...64).contains(part.utf8.count)
            && part.allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_")
            }
    }

    package var description: String {
        variant.map { "\(name):\($0)" } ?? name
    }
}

extension KeyLayout {
    package static let us = KeyLayout(name: "us", variant: nil)

    /// Parses `LAYOUT` or `LAYOUT:VARIANT`; each name must have 1 to 64 ASCII letters, digits, `-` or `_`.
    package init(_ text: String) throws(KeyLayoutError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy(Self.isWellFormed) else {
            throw .malformedName(text)
        }
        self.init(name: String(parts[0]), variant: parts.count == 2 ? String(parts[1]) : nil)
    }

    /// Layouts that scanners are often set to, the most likely first.
    package static let commonOnScanners: [KeyLayout] = [
        "us", "de", "fr", "gb", "es", "it", "ch", "ch:fr", "be", "nl", "pt", "br", "se", "no", "dk",
        "fi", "pl", "cz", "cz:qwerty", "sk", "sk:qwerty", "hu", "hu:qwerty", "si", "hr", "ro", "tr",
        "tr:f", "ru", "bg", "gr", "il", "jp", "latam", "ca", "us:intl", "us:dvorak",
    ].compactMap { try? KeyLayout($0) }
}

package enum KeyLayoutError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not in the format `LAYOUT` or `LAYOUT:VARIANT`.
    case malformedName(String)
    /// XKB has no layout with this name; `nearest` contains suggestions, the best first.
    case unknownLayout(String, nearest: [String])
    /// XKB has the layout but not the variant; `nearest` contains suggestions, the best first.
    case unknownVariant(String, of: String, nearest: [String])
    /// XKB lists the layout, but its installed data is broken.
    case notCompiled(KeyLayout)
    case noKeyboardData

    package var description: String {
        switch self {
        case .malformedName(let text):
            "\(text.quoted(upTo: .max)) is not the name of a layout; expected LAYOUT or LAYOUT:VARIANT, each"
                + " of letters, digits, - and _, for instance de:nodeadkeys"
        case .unknownLayout(let name, let nearest):
            "there is no layout \(name.quoted(upTo: .max))\(Self.suggestion(nearest))"
        case .unknownVariant(let variant, let layout, let nearest):
            "layout \(layout.quoted(upTo: .max)) has no variant \(variant.quoted(upTo: .max))"
                + Self.suggestion(nearest)
        case .notCompiled(let layout):
            "layout \(layout.description.quoted(upTo: .max)) is listed, but its installed keyboard"
                + " data is broken; install the package xkb-data again"
        case .noKeyboardData:
            "there is no keyboard data; install the package xkb-data"
        }
    }

    private static func suggestion(_ nearest: [String]) -> String {
        let names = nearest.map { $0.quoted(upTo: .max) }
        guard let last = names.last else { return "; \"keywedge layouts list\" shows all" }
        let others = names.dropLast().joined(separator: ", ")
        return names.count == 1
            ? "; the nearest is \(last)" : "; the nearest are \(others) and \(last)"
    }
}
