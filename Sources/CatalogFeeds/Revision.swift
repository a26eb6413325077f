import Crypto

/// Identifies the content of a catalog: equal catalogs have the same revision, whatever their history.
///
/// It is the sum, modulo 2^256, of the SHA-256 of each product's row. A sum has no order, so a change
/// of one product costs two digests, whatever the catalog's size. It detects accidental differences.
/// Someone who chooses the rows can construct two catalogs with one revision; against that, the
/// manifest has the SHA-256 of each file, and a signature.
package struct Revision: Hashable, Sendable {
    /// The number, 64 bits each, the lowest first.
    private var words: [UInt64]

    /// The revision of a catalog without products.
    package init() { words = [0, 0, 0, 0] }

    /// Counts a product in, by its row without the line break.
    package mutating func add(_ row: [UInt8]) { add(Self.number(row), carry: 0) }

    /// Counts a product out, by its row without the line break.
    package mutating func subtract(_ row: [UInt8]) { add(Self.number(row).map { ~$0 }, carry: 1) }

    private mutating func add(_ number: [UInt64], carry: UInt64) {
        var carry = carry
        for index in words.indices {
            let (sum, overflow) = words[index].addingReportingOverflow(number[index])
            let (whole, further) = sum.addingReportingOverflow(carry)
            words[index] = whole
            carry = overflow || further ? 1 : 0
        }
    }

    private static func number(_ row: [UInt8]) -> [UInt64] {
        SHA256.hash(data: row).withUnsafeBytes { bytes in
            stride(from: 24, through: 0, by: -8).map {
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self))
            }
        }
    }
}

extension Revision: RawRepresentable, Codable, CustomStringConvertible {
    /// Reads 64 hexadecimal digits in small letters; nil for anything else.
    package init?(rawValue text: String) {
        let bytes = Array(text.utf8)
        words = stride(from: 48, through: 0, by: -16).compactMap { start in
            UInt64(String(decoding: bytes.dropFirst(start).prefix(16), as: UTF8.self), radix: 16)
        }
        guard words.count == 4, rawValue == text else { return nil }
    }

    /// The number as 64 hexadecimal digits.
    package var rawValue: String {
        words.reversed().map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
    }

    package var description: String { rawValue }
}
