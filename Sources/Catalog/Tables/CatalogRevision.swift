import GRDB

/// A state of a catalog, to ask later what has changed since.
///
/// Its number counts up with every import that changed something; its tag is random. A catalog that
/// was restored from a backup, or copied and then changed elsewhere, has other tags for the same
/// numbers, so that it is not mistaken for the one a revision was read of.
package struct CatalogRevision: Hashable, Sendable {
    /// The highest number of a revision or a product that is taken from elsewhere: what is counted on
    /// from there stays a number.
    static let highest: Int64 = 1 << 53

    /// Counts the changes of a catalog.
    package let number: Int64
    /// Random: 16 hexadecimal digits.
    let tag: String

    init(number: Int64, tag: String) {
        self.number = number
        self.tag = tag
    }

    /// Reads a revision; nil where the text is none.
    ///
    /// - Parameter text: As `description` writes it: a number without leading zeros, a hyphen, and
    ///   16 hexadecimal digits in small letters.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Self.number(parts[0]), parts[1].utf8.count == 16,
            parts[1].utf8.allSatisfy(Self.isHexadecimal)
        else { return nil }
        self.init(number: number, tag: String(parts[1]))
    }

    /// A number as it is written here: digits without leading zeros.
    static func number(_ text: Substring) -> Int64? {
        guard let first = text.utf8.first, first != UInt8(ascii: "0") || text == "0",
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(text)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}

extension CatalogRevision: CustomStringConvertible {
    /// The revision as a text, for instance `42-9f3a0b7c1d2e4f50`.
    package var description: String { "\(number)-\(tag)" }
}
