import Barcodes

/// Zeros that a spreadsheet drops ahead of a number.
///
/// | written | meant |
/// |---|---|
/// | `42100005264` | `042100005264`, a UPC-A |
/// | `7023001236` | `007023001236`, a UPC-A |
/// | `1234565` | `01234565`, an EAN-8 or a UPC-E |
///
/// The check digit of the number with its zeros must be right. Ten digits that are an ISBN-10 are whole.
enum LostZeros {
    /// The number with the zeros it has lost; nil if it is as it should be, or nobody knows.
    static func restored(_ digits: String) -> String? {
        let zeros: String
        switch digits.utf8.count {
        case 7, 11: zeros = "0"
        case 10: zeros = "00"
        default: return nil
        }
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !digits.hasPrefix("0"),
            !isISBN10(digits)
        else { return nil }
        let number = zeros + digits
        return (try? GTIN(number)) != nil || GTIN(upcE: number) != nil ? number : nil
    }

    /// Rule: ISBN Users' Manual; the sum of the digits times their places is a multiple of 11.
    private static func isISBN10(_ digits: String) -> Bool {
        guard digits.utf8.count == 10 else { return false }
        let sum = zip(digits.utf8, 1...).reduce(0) { $0 + Int($1.0 - 0x30) * $1.1 }
        return sum % 11 == 0
    }
}
