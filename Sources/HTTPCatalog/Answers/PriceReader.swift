import Catalog
import Foundation
import WireText

struct PriceReader {
    let rule: PriceRule
    let documents: Documents

    /// Reads the price; returns nil if the answer has none, but throws if the price is unreadable.
    func price() throws(MappingError) -> Price? {
        for place in rule.amount {
            let value = documents.value(at: place)
            guard let value, value != .null, value.string == nil || value.fieldText != nil else {
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

    private func price(of value: JSONValue, at place: String) throws(MappingError) -> Price {
        guard let written = value.fieldText else {
            throw MappingError(
                "The answer has \(value.kind) at \(MappingError.name(place)); expected a price.")
        }
        let isNumber = value.string == nil
        let text = isNumber ? Self.plain(written) ?? written : written
        let currency = try currency()
        if rule.notation == .decimal {
            return try decimal(text, isNumber: isNumber, currency, at: place)
        }
        guard let currency else { throw noCurrency(text) }
        let decimals =
            if case .scaled(let decimals) = rule.notation { decimals } else { currency.minorDigits }
        return try scaled(text, decimals: decimals, currency, at: place)
    }

    /// Reads an amount such as `3.49`, or a price as people write it, such as `3,49 €`.
    private func decimal(
        _ text: String, isNumber: Bool, _ currency: Currency?, at place: String
    ) throws(MappingError) -> Price {
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
                amount: Self.plain(text, decimals: decimals) ?? text, currency: currency)
        } catch {
            throw MappingError(error, at: place)
        }
    }

    /// Formats a JSON number exactly and without an exponent, with its decimal point moved left by `decimals` digits.
    ///
    /// Returns nil if the number has more than 30 characters, because `Decimal` might lose digits.
    private static func plain(_ literal: String, decimals: Int = 0) -> String? {
        guard literal.utf8.count <= 30, let number = Decimal(string: literal) else { return nil }
        let sign = number.isZero ? .plus : number.sign
        return "\(Decimal(sign: sign, exponent: -decimals, significand: number.magnitude))"
    }

    private func currency() throws(MappingError) -> Currency? {
        guard let found = documents.text(rule.currency, of: "currency") else { return nil }
        guard let currency = Currency(found) else {
            throw MappingError(
                "The currency \(found.quoted()) is unknown; expected an ISO 4217 code such as EUR.")
        }
        return currency
    }

    private func noCurrency(_ amount: String) -> MappingError {
        MappingError(
            "The price \(amount.quoted()) has no currency; expected one at "
                + "\(MappingError.list(rule.currency)).")
    }
}

struct MappingError: Error, Equatable, Sendable {
    let description: String

    init(_ description: String) { self.description = description }

    /// Creates an error that says where in the answer the price is.
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
