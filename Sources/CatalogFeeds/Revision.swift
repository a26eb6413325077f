import Crypto

/// What a catalog's content is called: equal catalogs have the same revision, however they came about.
///
/// It is the sum, modulo 2^256, of the SHA-256 of each product's row. A sum has no order, so a change
/// of one product costs two digests, whatever the catalog's size. It tells catalogs apart that differ
/// by accident. Somebody who may choose the rows can find two catalogs with one revision: against that
/// stand the SHA-256 of each file in the manifest, and the manifest's signature.
package struct Revision: Hashable, Sendable {
    /// The number, 64 bits each, the highest first.
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// The revision of a catalog without products.
    package init() {}

    /// Reads 64 hexadecimal digits in small letters; nil for anything else.
    package init?(_ text: String) {
        guard text.utf8.count == 64, text.utf8.allSatisfy(Hexadecimal.isDigit) else { return nil }
        let parts = (0..<4).map { part in
            text.utf8.dropFirst(part * 16).prefix(16).reduce(UInt64(0)) {
                $0 << 4 | UInt64($1 < 0x3A ? $1 - 0x30 : $1 - 0x57)
            }
        }
        words = (parts[0], parts[1], parts[2], parts[3])
    }

    /// Counts a product in.
    ///
    /// - Parameter row: Its row, without the line break.
    package mutating func add(_ row: [UInt8]) { add(Self.number(row)) }

    /// Counts a product out.
    ///
    /// - Parameter row: Its row, without the line break.
    package mutating func subtract(_ row: [UInt8]) {
        let number = Self.number(row)
        add((~number.0, ~number.1, ~number.2, ~number.3), carry: true)
    }

    private mutating func add(
        _ number: (UInt64, UInt64, UInt64, UInt64), carry isCarried: Bool = false
    ) {
        var carry: UInt64 = isCarried ? 1 : 0
        func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
            let (first, overflow) = left.addingReportingOverflow(right)
            let (second, further) = first.addingReportingOverflow(carry)
            carry = overflow || further ? 1 : 0
            return second
        }
        words.3 = sum(words.3, number.3)
        words.2 = sum(words.2, number.2)
        words.1 = sum(words.1, number.1)
        words.0 = sum(words.0, number.0)
    }

    private static func number(_ row: [UInt8]) -> (UInt64, UInt64, UInt64, UInt64) {
        SHA256.hash(data: row).withUnsafeBytes { bytes in
            func word(_ index: Int) -> UInt64 {
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
            }
            return (word(0), word(1), word(2), word(3))
        }
    }

    package static func == (left: Revision, right: Revision) -> Bool { left.words == right.words }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.3)
    }
}

extension Revision: CustomStringConvertible {
    /// The number as 64 hexadecimal digits.
    package var description: String {
        [words.0, words.1, words.2, words.3].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
    }

    /// The first digits, for messages.
    package var short: String { String(description.prefix(12)) }
}

/// Bytes as hexadecimal digits.
enum Hexadecimal {
    /// Whether a byte is a digit in a small letter.
    static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }

    /// The bytes' digits.
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
}
