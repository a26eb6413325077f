import Catalog
import WireText

/// Reads the price in an answer, digit for digit: no amount goes through a floating-point number.
struct PriceReader {
    let rule: PriceRule
    let documents: Documents
    /// Is told of each place that was tried; nil where nobody wants to see them.
    var observe: LookupStep.Observer?

    /// The price; nil where the answer has no amount.
    ///
    /// An amount that is there and cannot be read is an error: a product without its price would
    /// look like one that has none.
    func price() throws(MappingError) -> (price: Price, place: AnswerPlace)? {
        for place in rule.amount {
            let value = documents.value(at: place)
            guard let value, !Self.isMissing(value) else {
                observe?(reading(place, FieldReading.Outcome(withoutText: value)))
                continue
            }
            do throws(MappingError) {
                let price = try price(of: value, at: place)
                observe?(reading(place, .gave(price.description)))
                return (price, place)
            } catch {
                observe?(reading(place, .unreadable(error.description)))
                throw error
            }
        }
        return nil
    }

    private func reading(_ place: AnswerPlace, _ outcome: FieldReading.Outcome) -> LookupStep {
        .field(FieldReading(field: "price", place: place.text, outcome: outcome))
    }

    private static func isMissing(_ value: JSONValue) -> Bool {
        switch value {
        case .null: true
        case .string(let text): text.allSatisfy(\.isWhitespace)
        default: false
        }
    }

    private func price(of value: JSONValue, at place: AnswerPlace) throws(MappingError) -> Price {
        let text: String
        let isNumber: Bool
        switch value {
        case .string(let string): (text, isNumber) = (string, false)
        case .integer(let number): (text, isNumber) = (String(number), true)
        case .number(let number):
            (text, isNumber) = (DecimalLiteral.plain(number.literal) ?? number.literal, true)
        default: throw .priceKind(place: place.text, found: value.kind)
        }
        switch rule.notation {
        case .decimal: return try decimal(text, isNumber: isNumber, at: place)
        case .minorUnits:
            let currency = try currency(of: text)
            return try scaled(text, decimals: currency.minorDigits, currency, at: place)
        case .scaled(let decimals):
            return try scaled(text, decimals: decimals, try currency(of: text), at: place)
        }
    }

    /// A number, a text with one as programs write it, or a price as people write it: `3,49 €`.
    private func decimal(
        _ text: String, isNumber: Bool, at place: AnswerPlace
    ) throws(MappingError) -> Price {
        let currency = try knownCurrency()
        if let currency {
            if let price = try? Price(amount: text, currency: currency) { return price }
        } else if isNumber {
            throw .noCurrency(amount: text, places: rule.currency.map(\.text))
        }
        do throws(PriceError) {
            return try Price(reading: text, column: currency)
        } catch .noCurrency {
            throw .noCurrency(amount: text, places: rule.currency.map(\.text))
        } catch {
            throw .price(place: place.text, reason: error)
        }
    }

    private func scaled(
        _ text: String, decimals: Int, _ currency: Currency, at place: AnswerPlace
    ) throws(MappingError) -> Price {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .minorUnits(place: place.text, found: text)
        }
        do throws(PriceError) {
            return try Price(
                amount: DecimalLiteral.scaled(text, decimals: decimals), currency: currency)
        } catch {
            throw .price(place: place.text, reason: error)
        }
    }

    private func currency(of amount: String) throws(MappingError) -> Currency {
        guard let currency = try knownCurrency() else {
            throw .noCurrency(amount: amount, places: rule.currency.map(\.text))
        }
        return currency
    }

    private func knownCurrency() throws(MappingError) -> Currency? {
        guard let found = documents.text(rule.currency, of: "currency", observe) else { return nil }
        guard let currency = Currency(found) else { throw .currency(found: found) }
        return currency
    }
}
