import Crypto
import WireText

/// An identifier of a catalog's content: equal catalogs have the same revision, whatever their history.
///
/// The revision is the sum, modulo 2^256, of the SHA-256 of each product's row. After a product changes, only the
/// digests of its old and new row are needed to compute the new revision, however large the catalog is. An attacker
/// who chooses the rows can construct two catalogs with the same revision. Therefore the manifest also contains the
/// SHA-256 of each file, and can be signed.
package struct Revision: Hashable, Sendable {
    /// The sum of the SHA-256 digests of the products' rows, most significant byte first.
    private var bytes = [UInt8](repeating: 0, count: 32)

    package init() {}

    /// Adds a product; `row` is the product's line in a feed, without the line break.
    package mutating func add(_ row: [UInt8]) { add(Array(SHA256.hash(data: row)), carry: 0) }

    /// Removes a product from the revision; `row` is the product's line in a feed, without the line break.
    package mutating func subtract(_ row: [UInt8]) {
        add(SHA256.hash(data: row).map { ~$0 }, carry: 1)
    }

    private mutating func add(_ number: [UInt8], carry: UInt) {
        var carry = carry
        for index in bytes.indices.reversed() {
            carry += UInt(bytes[index]) + UInt(number[index])
            bytes[index] = UInt8(truncatingIfNeeded: carry)
            carry >>= 8
        }
    }
}

extension Revision: RawRepresentable, Codable, CustomStringConvertible {
    /// Creates a revision from 64 lower-case hexadecimal digits; returns nil for any other text.
    package init?(rawValue text: String) {
        let digits = Array(text.utf8)
        bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap { index in
            UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
        }
        guard bytes.count == 32, rawValue == text else { return nil }
    }

    package var rawValue: String { bytes.hexadecimal }
    package var description: String { rawValue }
}
