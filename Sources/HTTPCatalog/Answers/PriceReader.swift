import Catalog
import WireText

/// Reads the price in an answer, digit for digit: no amount goes through a floating-point number.
struct PriceReader {
    let rule: PriceRule
    let documents: Documents

    /// The price.
    ///
    /// An amount that is there and cannot be read is an error: a product without its price would
    /// look like one that has none.
    ///
    /// - Parameter steps: Gets each place that was tried.
    /// - Returns: The price; nil where the answer has no amount.
    /// - Throws: `MappingError`.
    func price(_ steps: inout [LookupStep]) throws(MappingError) -> Price? {
        for place in rule.amount {
            let value = documents.value(at: place)
            guard let value, !Self.isMissing(value) else {
                steps.append(Self.tried(place, .init(withoutText: value)))
                continue
            }
            do throws(MappingError) {
                let price = try price(of: value, at: place, &steps)
                steps.append(Self.tried(place, .gave(price.description)))
                return price
            } catch {
                steps.append(Self.tried(place, .unreadable(error.description)))
                throw error
            }
        }
        return nil
    }

    private static func tried(
        _ place: AnswerPlace, _ outcome: TriedPlace.Outcome
    ) -> LookupStep {
        .place(TriedPlace(field: "price", place: place.text, outcome: outcome))
    }

    private static func isMissing(_ value: JSONValue) -> Bool {
        switch value {
        case .null: true
        case .string(let text): text.allSatisfy(\.isWhitespace)
        default: false
        }
    }

    private func price(
        of value: JSONValue, at place: AnswerPlace, _ steps: inout [LookupStep]
    ) throws(MappingError) -> Price {
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
        case .decimal: return try decimal(text, isNumber: isNumber, at: place, &steps)
        case .minorUnits:
            let currency = try currency(of: text, &steps)
            return try scaled(text, decimals: currency.minorDigits, currency, at: place)
        case .scaled(let decimals):
            return try scaled(text, decimals: decimals, try currency(of: text, &steps), at: place)
        }
    }

    /// A number, a text with one as programs write it, or a price as people write it: `3,49 €`.
    private func decimal(
        _ text: String, isNumber: Bool, at place: AnswerPlace, _ steps: inout [LookupStep]
    ) throws(MappingError) -> Price {
        let currency = try knownCurrency(&steps)
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

    private func currency(
        of amount: String, _ steps: inout [LookupStep]
    ) throws(MappingError) -> Currency {
        guard let currency = try knownCurrency(&steps) else {
            throw .noCurrency(amount: amount, places: rule.currency.map(\.text))
        }
        return currency
    }

    private func knownCurrency(
        _ steps: inout [LookupStep]
    ) throws(MappingError) -> Currency? {
        guard let found = documents.text(rule.currency, of: "currency", &steps) else { return nil }
        guard let currency = Currency(found) else { throw .currency(found: found) }
        return currency
    }
}
