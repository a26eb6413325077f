import Catalog
import WireText

/// Why an answer is no product.
enum MappingError: Error, Equatable, Sendable {
    /// None of the places of the id has one.
    case noID(places: [String])
    /// The list of products is something else.
    case noList(place: String, found: String)
    /// What stands where the price should is no price.
    case price(place: String, reason: PriceError)
    /// The value at the price's place is neither number nor text.
    case priceKind(place: String, found: String)
    /// An amount in minor units is no whole number.
    case minorUnits(place: String, found: String)
    /// There is an amount and no currency.
    case noCurrency(amount: String, places: [String])
    /// What stands where the currency should is none.
    case currency(found: String)
}

extension MappingError: CustomStringConvertible {
    /// The error as one sentence.
    var description: String {
        switch self {
        case .noID(let places):
            "The answer has no product id; expected one at \(Self.list(places))."
        case .noList(let place, let found):
            "The answer has \(found) at \(Self.name(place)); expected the list of products."
        case .price(let place, let reason): "At \(Self.name(place)): \(Self.sentence(reason))"
        case .priceKind(let place, let found):
            "The answer has \(found) at \(Self.name(place)); expected a price."
        case .minorUnits(let place, let found):
            "The answer has \(found.quoted()) at \(Self.name(place)); "
                + "expected a whole number of minor units."
        case .noCurrency(let amount, let places):
            "The price \(amount.quoted()) has no currency; expected one at \(Self.list(places))."
        case .currency(let found):
            "The currency \(found.quoted()) is none; expected a code of ISO 4217 such as EUR."
        }
    }

    /// The reason in the words of a declaration: an answer has no columns.
    private static func sentence(_ reason: PriceError) -> String {
        switch reason {
        case .otherCurrency(let text, let found, let declared):
            "The price \(text.quoted()) is in \(found), but the answer's currency is \(declared)."
        case .ambiguousSign(let text, let sign):
            "The price \(text.quoted()) is in \(sign.quoted()), which several currencies share; "
                + "expected a currency that says which."
        case .ambiguous(let text):
            "The price \(text.quoted()) may mean thousands or thousandths; expected 1999 or 1.9990 for "
                + "what 1.999 means."
        default: reason.description
        }
    }

    private static func name(_ place: String) -> String {
        place.isEmpty ? "its top" : place.quoted()
    }

    private static func list(_ places: [String]) -> String {
        places.isEmpty
            ? "a place the declaration names" : places.map(name).joined(separator: " or ")
    }
}
