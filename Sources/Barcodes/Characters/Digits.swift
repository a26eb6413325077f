/// The numeric value and the checksum of 1 to 18 ASCII digits.
struct Digits {
    let number: UInt64
    let count: Int
    /// The weighted sum of all digits, which is a multiple of ten if the check digit is correct.
    private let weightedSum: Int

    @inline(__always)
    init?(_ text: String) { self.init(text.utf8.span) }

    /// Reads 1 to 18 digits and computes their sum, weighted 1, 3, 1, 3 … from the right; nil for any other bytes.
    ///
    /// Rule: GS1 General Specifications, section 7.9.1.
    @inline(__always)
    init?(_ bytes: Span<UInt8>) {
        count = bytes.count
        guard count > 0, count <= 18 else { return nil }
        var number = 0
        var sum = 0
        var index = count & 1
        if index == 1 {
            guard bytes[0].isDigit else { return nil }
            number = bytes[0].digitValue
            sum = number
        }
        // Each pair of digits has the weights 3 and 1.
        while index < count {
            guard bytes[index].isDigit, bytes[index + 1].isDigit else { return nil }
            let first = bytes[index].digitValue
            let second = bytes[index + 1].digitValue
            number = number &* 100 &+ first &* 10 &+ second
            sum &+= first &* 3 &+ second
            index += 2
        }
        self.number = UInt64(number)
        weightedSum = sum
    }

    var last: Int { Int(number % 10) }

    var expectedCheckDigit: Int { (last + 10 - weightedSum % 10) % 10 }

    var isValid: Bool { weightedSum % 10 == 0 }
}

/// Functions that compute and verify check digits.
public enum CheckDigit {
    /// Computes the check digit of a GS1 key, such as a GTIN or an SSCC.
    ///
    /// - Parameter digits: 1 to 35 ASCII digits without their check digit.
    /// - Returns: 0…9, or nil if the text is empty, too long or contains anything but digits.
    public static func gs1(for digits: some StringProtocol) -> Int? {
        let text = String(digits) + "0"
        guard let last = Digits(String(text.suffix(18))) else { return nil }
        guard text.utf8.count > 18 else { return last.expectedCheckDigit }
        // The weights alternate and 18 is even, so the digits before the last 18 have the same weights as at the end.
        return Digits(String(text.dropLast(18))).map {
            (last.expectedCheckDigit + $0.expectedCheckDigit + 10 - $0.last) % 10
        }
    }

    /// Whether the digits end in a correct Luhn check digit.
    ///
    /// Rule: ISO/IEC 7812-1, annex B.
    static func isLuhn(_ digits: some BidirectionalCollection<UInt8>) -> Bool {
        var sum = 0
        for (place, digit) in digits.reversed().enumerated() {
            guard digit.isDigit else { return false }
            let value = digit.digitValue << (place & 1)
            sum += value / 10 + value % 10
        }
        return !digits.isEmpty && sum % 10 == 0
    }

    static func gs1(forNumber number: UInt64) -> UInt64 {
        let digits = GTIN.digits(of: number * 10, count: number < 100_000_000_000_000 ? 15 : 18)
        return UInt64(Digits(digits)?.expectedCheckDigit ?? 0)
    }
}

/// The result of checking a code's check digit.
public enum CheckDigitVerdict: String, Hashable, Sendable, CaseIterable {
    case valid
    case invalid
}

/// A decimal number that keeps its trailing zeros, such as 1.50.
public struct DecimalNumber: Hashable, Sendable {
    /// The digits as an integer, without the decimal point: 150 for 1.50.
    public let significand: UInt64
    /// The number of digits after the decimal point.
    public let decimals: Int

    /// Creates a decimal number; negative `decimals` count as 0.
    public init(significand: UInt64, decimals: Int) {
        self.significand = significand
        self.decimals = max(0, decimals)
    }
}

extension DecimalNumber: CustomStringConvertible {
    /// The number in decimal notation, with at least one digit before the decimal point: `0.49`.
    public var description: String {
        let digits = String(significand)
        guard decimals > 0 else { return digits }
        let padded =
            String(repeating: "0", count: max(0, decimals + 1 - digits.utf8.count)) + digits
        return padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }
}
