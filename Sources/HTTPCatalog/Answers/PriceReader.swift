import Catalog
import Foundation
import WireText

/// Reads the price in an answer, digit for digit: no amount goes through a floating-point number.
struct PriceReader {
    let rule: PriceRule
    let documents: Documents

    /// The price; nil if the answer has no amount.
    ///
    /// An amount that is there and cannot be read is an error: a product without its price would
    /// look like one that has none.
    func price() throws(MappingError) -> Price? {
        for place in rule.amount {
            let value = documents.value(at: place)
            guard let value, !Self.isMissing(value) else {
                documents.trace.place("price", place, gave: [], value)
                continue
            }
            do throws(MappingError) {
                let price = try price(of: value, at: place.text)
                documents.trace.place("price", place, gave: [price.description], value)
                return price
            } catch {
                documents.trace.place(
                    "price", place, gave: [], value, unreadable: error.description)
                throw error
            }
        }
        return nil
    }

    private static func isMissing(_ value: JSONValue) -> Bool {
        switch value {
        case .null: true
        case .string(let text): text.allSatisfy(\.isWhitespace)
        default: false
        }
    }

    private func price(of value: JSONValue, at place: String) throws(MappingError) -> Price {
        let text: String
        let isNumber: Bool
        switch value {
        case .string(let string): (text, isNumber) = (string, false)
        case .integer(let number): (text, isNumber) = (String(number), true)
        case .number(let number):
            (text, isNumber) = (DecimalLiteral.plain(number.literal) ?? number.literal, true)
        default:
            throw MappingError(
                "The answer has \(value.kind) at \(MappingError.name(place)); expected a price.")
        }
        if rule.notation == .decimal { return try decimal(text, isNumber: isNumber, at: place) }
        guard let currency = try currency() else { throw noCurrency(text) }
        if case .scaled(let decimals) = rule.notation {
            return try scaled(text, decimals: decimals, currency, at: place)
        }
        return try scaled(text, decimals: currency.minorDigits, currency, at: place)
    }

    /// A number, a text with one as programs write it, or a price as people write it: `3,49 €`.
    private func decimal(
        _ text: String, isNumber: Bool, at place: String
    ) throws(MappingError) -> Price {
        let currency = try currency()
        if let currency, let price = try? Price(amount: text, currency: currency) { return price }
        if currency == nil, isNumber { throw noCurrency(text) }
        do throws(PriceError) {
            return try Price(reading: text, column: currency)
        } catch .noCurrency {
            throw noCurrency(text)
        } catch {
            throw MappingError(error, at: place)
        }
    }

    private func scaled(
        _ text: String, decimals: Int, _ currency: Currency, at place: String
    ) throws(MappingError) -> Price {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw MappingError(
                "The answer has \(text.quoted()) at \(MappingError.name(place)); "
                    + "expected a whole number of minor units.")
        }
        do throws(PriceError) {
            return try Price(
                amount: DecimalLiteral.plain(text, decimals: decimals) ?? text, currency: currency)
        } catch {
            throw MappingError(error, at: place)
        }
    }

    private func currency() throws(MappingError) -> Currency? {
        guard let found = documents.text(rule.currency, of: "currency") else { return nil }
        guard let currency = Currency(found) else {
            throw MappingError(
                "The currency \(found.quoted()) is none; expected a code of ISO 4217 such as EUR.")
        }
        return currency
    }

    private func noCurrency(_ amount: String) -> MappingError {
        MappingError(
            "The price \(amount.quoted()) has no currency; expected one at "
                + "\(MappingError.list(rule.currency)).")
    }
}

/// Why an answer is no product, in one sentence.
struct MappingError: Error, Equatable, Sendable {
    let description: String

    init(_ description: String) { self.description = description }

    /// The reason in the words of a declaration: an answer has no columns.
    init(_ reason: PriceError, at place: String) {
        let sentence =
            switch reason {
            case .otherCurrency(let text, let found, let declared):
                "The price \(text.quoted()) is in \(found), but the answer's currency is \(declared)."
            case .ambiguousSign(let text, let sign):
                "The price \(text.quoted()) is in \(sign.quoted()), which several currencies share; "
                    + "expected a currency that says which."
            case .ambiguous(let text):
                "The price \(text.quoted()) may mean thousands or thousandths; expected 1999 or 1.9990 "
                    + "for what 1.999 means."
            default: reason.description
            }
        description = "At \(Self.name(place)): \(sentence)"
    }

    static func name(_ place: String) -> String { place.isEmpty ? "its top" : place.quoted() }

    static func list(_ places: [Place]) -> String {
        places.isEmpty
            ? "a place the declaration names"
            : places.map { name($0.text) }.joined(separator: " or ")
    }
}

/// Numbers as JSON writes them, as decimal digits: nothing is rounded.
enum DecimalLiteral {
    /// The most digits that `Decimal` keeps, less some for an exponent.
    private static let longest = 30

    /// A number without exponent, with the point moved to the left; nil if it is too long.
    static func plain(_ literal: String, decimals: Int = 0) -> String? {
        guard literal.utf8.count <= longest, let number = Decimal(string: literal) else {
            return nil
        }
        let sign = number.isZero ? .plus : number.sign
        return "\(Decimal(sign: sign, exponent: -decimals, significand: number.magnitude))"
    }
}
