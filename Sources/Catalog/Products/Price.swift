import WireText

/// An amount of money: an exact decimal number and its currency.
///
/// The amount is never negative, and has at most 12 digits before the decimal point and 6 after it. It has no trailing
/// zeros beyond the currency's usual decimals, so equal prices have equal texts.
package struct Price: Hashable, Sendable, CustomStringConvertible {
    /// The amount with at least the currency's usual decimals, such as `3.49` for EUR and `349` for JPY.
    package let amount: String
    package let currency: Currency

    /// Creates a price from a machine-readable amount: ASCII digits with at most one decimal point.
    package init(amount: String, currency: Currency) throws(PriceError) {
        let bytes = Array(amount.utf8)
        guard bytes.first != UInt8(ascii: "-") else { throw .negative(text: amount) }
        let marks = bytes.filter { !$0.isDigit }
        guard bytes.last?.isDigit == true, marks.isEmpty || marks == [UInt8(ascii: ".")] else {
            throw .notANumber(text: amount)
        }
        let number = try WrittenNumber(bytes[...], decimalMark: .point, text: amount)
        self.init(number, currency: currency)
    }

    /// Reads a price as people write it: `3.49`, `3,49`, `1'299.00`, `3,49 €`, `USD 3.49`, `CHF 1.–`.
    ///
    /// `1.999` is ambiguous, and therefore an error, unless the currency shows what the point means: decimals in
    /// `KWD 1.999`, thousands in `IDR 1.999`. The currency comes from the text, otherwise from `column`, otherwise from
    /// `fallback`. Both parameters also help to choose among currencies that share a symbol (`$`, `¥`, `kr`).
    package init(
        reading text: String, column: Currency? = nil, fallback: Currency? = nil
    ) throws(PriceError) {
        self = try WrittenPrice(text, column: column, fallback: fallback).price()
    }

    init(_ number: WrittenNumber, currency: Currency) {
        amount = number.canonical(minimumDecimals: currency.minorDigits)
        self.currency = currency
    }

    /// Creates a price from a canonical amount, which is not checked; nil without an amount or a known currency.
    init?(canonical amount: String?, _ code: String?) {
        guard let amount, let currency = code.flatMap({ Currency($0) }) else { return nil }
        (self.amount, self.currency) = (amount, currency)
    }

    /// Reads the members `price` and `currency`; nil if one of them is missing or invalid.
    init?(json object: JSONObject) {
        guard let amount = object["price"]?.string,
            let currency = object["currency"]?.string.flatMap({ Currency($0) }),
            let price = try? Price(amount: amount, currency: currency)
        else { return nil }
        self = price
    }

    package var description: String { "\(amount) \(currency)" }

    /// The amount in a form that an import cannot misread: `1.9990` instead of `1.999`.
    var importableAmount: String {
        let bytes = amount.utf8
        return bytes.count > 4 && bytes.dropLast(3).last == UInt8(ascii: ".")
            ? amount + "0" : amount
    }
}

package enum PriceError: Error, Equatable, Sendable, CustomStringConvertible {
    case notANumber(text: String)
    case negative(text: String)
    case thousandsSeparator(text: String)
    case ambiguous(text: String)
    case otherDecimalMark(text: String, expected: DecimalMark)
    case tooLong(text: String)
    case noCurrency(text: String)
    case unknownCurrency(text: String, found: String)
    case ambiguousSign(text: String, sign: String)
    case otherCurrency(text: String, found: Currency, column: Currency)

    package var description: String {
        switch self {
        case .notANumber(let text):
            "The price \(text.quoted()) is not a decimal number; expected digits such as 3.49."
        case .negative(let text): "The price \(text.quoted()) is negative; expected 0 or more."
        case .thousandsSeparator(let text):
            "The price \(text.quoted()) has points or commas in unusual places; expected a number "
                + "such as 1234.50 or 1.234,50."
        case .ambiguous(let text):
            "The price \(text.quoted()) may mean thousands or thousandths; expected --decimal point or "
                + "--decimal comma, whichever sign is ahead of the decimals."
        case .otherDecimalMark(let text, let expected):
            "The price \(text.quoted()) does not fit --decimal \(expected.rawValue); expected a number "
                + "such as \(expected == .point ? "1,234.50" : "1.234,50")."
        case .tooLong(let text):
            "The price \(text.quoted()) is too long; expected at most 12 digits ahead of the decimal "
                + "sign and 6 after it."
        case .noCurrency(let text):
            "The price \(text.quoted()) has no currency; expected one in the price, in a currency "
                + "column or as the default."
        case .unknownCurrency(let text, let found):
            "The price \(text.quoted()) is in \(found.quoted()); expected a code of ISO 4217 such as EUR."
        case .ambiguousSign(let text, let sign):
            "The price \(text.quoted()) is in \(sign.quoted()), which several currencies share; "
                + "expected a currency column or default that says which."
        case .otherCurrency(let text, let found, let column):
            "The price \(text.quoted()) is in \(found), but the currency column says \(column)."
        }
    }
}
