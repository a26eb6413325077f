/// An International Standard Serial Number whose check digit is known to be right.
public struct ISSN: Hashable, Sendable {
    /// The first seven digits.
    private let number: UInt32

    /// Reads an ISSN.
    ///
    /// - Parameter text: 7 digits and a digit or `X`, with or without a hyphen in the middle.
    /// - Throws: `ISBNError`.
    ///
    /// Rule: ISO 3297.
    public init(_ text: String) throws(ISBNError) {
        let bytes = text.utf8.filter { $0 != UInt8(ascii: "-") }
        guard bytes.count == 8 else { throw .wrongLength(text: text, found: bytes.count) }
        guard bytes.dropLast().allSatisfy(\.isDigit), let last = bytes.last,
            last.isDigit || last | 0x20 == UInt8(ascii: "x")
        else { throw .wrongCharacter(text: text) }
        let expected = ISBN.checkCharacter(bytes.dropLast().map(\.digitValue))
        let found = last.isDigit ? last : UInt8(ascii: "X")
        guard expected == found else {
            throw .wrongCheckDigit(
                text: text, expected: String(Character(Unicode.Scalar(expected))),
                found: String(Character(Unicode.Scalar(found))))
        }
        number = bytes.dropLast().reduce(0) { $0 * 10 + UInt32($1.digitValue) }
    }

    /// The serial a GTIN stands for, or nil where it does not start with 977.
    ///
    /// - Parameter gtin: A product's number.
    public init?(gtin: GTIN) {
        guard gtin.number / 10_000_000_000 == 977 else { return nil }
        number = UInt32(gtin.number / 1000 % 10_000_000)
    }

    /// The two digits behind the ISSN in a GTIN, which the publisher gives a variant: another
    /// price, a day of the week; `00` is the usual one.
    ///
    /// - Parameter gtin: A product's number that starts with 977.
    /// - Returns: Two digits, or nil where the number starts otherwise.
    public static func variant(of gtin: GTIN) -> String? {
        guard ISSN(gtin: gtin) != nil else { return nil }
        return GTIN.digits(of: gtin.number / 10, count: 2)
    }

    /// The number as a GTIN with two variant digits.
    ///
    /// - Parameter variant: 0…99; others are taken modulo 100.
    /// - Returns: A GTIN that starts with 977.
    public func gtin(variant: Int = 0) -> GTIN {
        let body =
            (977 * 10_000_000 + UInt64(number)) * 100 + UInt64(((variant % 100) + 100) % 100)
        return GTIN(unchecked: body * 10 + CheckDigit.gs1(forNumber: body))
    }
}

extension ISSN: CustomStringConvertible {
    /// The number with a hyphen in the middle: `0317-8471`.
    public var description: String {
        let body = GTIN.digits(of: UInt64(number), count: 7)
        let check = ISBN.checkCharacter(body.utf8.map(\.digitValue))
        return body.prefix(4) + "-" + body.suffix(3) + String(Character(Unicode.Scalar(check)))
    }
}
