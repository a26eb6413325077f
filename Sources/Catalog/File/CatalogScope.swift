/// A shop, or a group of shops, with an assortment and prices of its own.
///
/// Its name has 1 to 64 letters of ASCII, digits, `-`, `_` and `.`: it goes into addresses, files of
/// tokens and tables as it is.
package struct CatalogScope: Hashable, Sendable {
    /// How many characters a name may have.
    package static let longest = 64

    /// The rule for names, in words.
    package static let rule =
        "1 to \(longest) letters from a to z or A to Z, digits, hyphens, underscores and points"

    /// The shop's name; capital and small letters differ.
    package let name: String

    /// Returns nil if the text breaks the rule for names.
    package init?(_ name: String) {
        guard (1...Self.longest).contains(name.utf8.count), name.utf8.allSatisfy(Self.isAllowed)
        else { return nil }
        self.name = name
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-_.".utf8.contains(byte)
        }
    }
}

extension CatalogScope: CustomStringConvertible {
    /// The name.
    package var description: String { name }
}
