/// A shop, or a group of shops, with its own assortment and prices.
///
/// The name has 1 to 64 ASCII letters, digits, `-`, `_` and `.`, so it needs no escaping in URLs, token files and SQL.
package struct CatalogScope: Hashable, Sendable, CustomStringConvertible {
    package static let rule =
        "1 to 64 letters from a to z or A to Z, digits, hyphens, underscores and points"

    package let name: String

    package init?(_ name: String) {
        let isAllowed = name.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || "0123456789-_.".utf8.contains(byte)
        }
        guard 1...64 ~= name.utf8.count, isAllowed else { return nil }
        self.name = name
    }

    package var description: String { name }
}
