/// Numbers as JSON writes them, as decimal digits: the exponent is worked in digit by digit, and
/// nothing is rounded.
enum DecimalLiteral {
    /// The largest exponent that is written out; no price comes near it.
    private static let largestExponent = 18

    /// The digits of a number without exponent.
    ///
    /// - Parameter literal: A JSON number.
    /// - Returns: Digits with at most one point, and a minus in front of a negative number that is
    ///   not zero; nil where the exponent is too large.
    static func plain(_ literal: String) -> String? {
        let parts = literal.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
        guard let mantissa = parts.first else { return nil }
        let exponent = parts.count == 2 ? Int(parts[1]) : 0
        guard let exponent, abs(exponent) <= largestExponent else { return nil }
        let isNegative = mantissa.first == "-"
        let number = isNegative ? mantissa.dropFirst() : mantissa
        let shifted = shifted(number, by: exponent)
        let isZero = shifted.allSatisfy { $0 == "0" || $0 == "." }
        return isNegative && !isZero ? "-" + shifted : shifted
    }

    /// A whole number with its last digits behind a point.
    ///
    /// - Parameters:
    ///   - digits: Digits, and perhaps a minus in front.
    ///   - decimals: How many of them stand behind the point.
    /// - Returns: The number.
    static func scaled(_ digits: String, decimals: Int) -> String {
        let isNegative = digits.first == "-"
        let shifted = shifted(isNegative ? digits.dropFirst() : digits[...], by: -decimals)
        return isNegative ? "-" + shifted : shifted
    }

    /// Moves the point so many digits to the right.
    private static func shifted(_ number: Substring, by places: Int) -> String {
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        var whole = String(parts.first ?? "")
        var decimals = parts.count == 2 ? String(parts[1]) : ""
        if places >= 0 {
            decimals += String(repeating: "0", count: max(0, places - decimals.count))
            whole += decimals.prefix(places)
            decimals = String(decimals.dropFirst(places))
        } else {
            whole = String(repeating: "0", count: max(0, 1 - places - whole.count)) + whole
            decimals = whole.suffix(-places) + decimals
            whole = String(whole.dropLast(-places))
        }
        return decimals.isEmpty ? whole : whole + "." + decimals
    }
}
