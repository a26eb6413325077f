import Crypto
import WebAPI

/// What a catalog's content is called: equal catalogs have the same revision, however they came about.
///
/// It is the sum, modulo 2^256, of the SHA-256 of each product's row. A sum has no order, so a change
/// of one product costs two digests, whatever the catalog's size. It tells catalogs apart that differ
/// by accident. Somebody who chooses the rows can make two catalogs of one revision; the manifest's
/// SHA-256 of each file and its signature stand against that.
package struct Revision: Hashable, Sendable {
    /// The number, 64 bits each, the lowest first.
    private var words: [UInt64]

    /// The revision of a catalog without products.
    package init() { words = [0, 0, 0, 0] }

    /// Reads 64 hexadecimal digits in small letters; nil for anything else.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        words = stride(from: 48, through: 0, by: -16).compactMap { start in
            UInt64(String(decoding: bytes.dropFirst(start).prefix(16), as: UTF8.self), radix: 16)
        }
        guard words.count == 4, description == text else { return nil }
    }

    /// Counts a product in.
    ///
    /// - Parameter row: Its row, without the line break.
    package mutating func add(_ row: [UInt8]) { add(Self.number(row), carry: 0) }

    /// Counts a product out.
    ///
    /// - Parameter row: Its row, without the line break.
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

extension Revision: CustomStringConvertible {
    /// The number as 64 hexadecimal digits.
    package var description: String {
        words.reversed().map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
    }
}

extension Revision: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let revision = Revision(text) else {
            throw TransformError.unexpectedValue(in: decoder, expected: "64 hexadecimal digits")
        }
        self = revision
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
