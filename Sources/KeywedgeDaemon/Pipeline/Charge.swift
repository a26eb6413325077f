import Barcodes
import Catalog
import WireText

/// An event's `charge` field: the amount that a till charges for the scan, or why a person must decide.
///
/// The example programs, web pages and output formats all use this amount, so that they agree.
enum Charge: Equatable {
    /// The amount to charge; the string is the total for `quantity` units.
    case amount(String, Currency, quantity: DecimalNumber, unit: String, source: Source)
    case undecided(Reason)

    enum Source: String, CaseIterable {
        /// The product's price alone; the code contains neither a price nor a quantity.
        case product
        /// A price in the code, such as a scale label's price or GS1's amount payable.
        case labelPrice = "label-price"
        /// The product's price times a weight or another measure in the code.
        case labelMeasure = "label-measure"
        /// The product's price times the number of pieces that the code states.
        case labelCount = "label-count"
    }

    enum Reason: String, CaseIterable, Error {
        /// The code has errors and identifies no product.
        case invalidCode = "invalid-code"
        case notFound = "not-found"
        case failed
        case timedOut = "timed-out"
        /// The text can be read in several ways, or contains the GTINs of several products.
        case ambiguous
        case severalProducts = "several-products"
        /// The scan may be only one line of a larger symbol.
        case rapidLines = "rapid-lines"
        case coupon
        /// The code states the number of items in a logistic unit.
        case logisticUnit = "logistic-unit"
        /// The price, weight or count in the code is zero, wrong or ambiguous.
        case unreadableLabel = "unreadable-label"
        /// The currency of the price in the code is unknown or unsupported.
        case unknownCurrency = "unknown-currency"
        case noPrice = "no-price"
        /// The price may be out of date. It comes from the cache because the catalog did not answer, or it depends on
        /// the date while the clock is not set.
        case oldPrice = "old-price"
        /// The code lacks the quantity that the price refers to, such as a weight for a price per kilogram.
        case measure
        case unknownUnit = "unknown-unit"
        /// The amount has too many decimals for its currency or too many digits, or rounds to zero.
        case fraction
    }
}

extension Charge {
    /// Determines what a till charges for a scan; nil if the lookup was skipped.
    init?(_ barcode: Barcode, _ lookup: LookupResult, isClockSet: Bool, isRapidLine: Bool) {
        if lookup.status == .skipped { return nil }
        do throws(Reason) {
            self = try Self.decide(
                barcode, lookup, isClockSet: isClockSet, isRapidLine: isRapidLine)
        } catch {
            self = .undecided(error)
        }
    }

    private static func decide(
        _ barcode: Barcode, _ lookup: LookupResult, isClockSet: Bool, isRapidLine: Bool
    ) throws(Reason) -> Charge {
        func ask(_ reason: Reason, if condition: Bool) throws(Reason) {
            if condition { throw reason }
        }
        let isBroken = barcode.problems.contains { $0.severity == .error }
        try ask(.invalidCode, if: isBroken && barcode.gtin == nil && barcode.inStore == nil)
        guard let match = lookup.match else {
            throw Reason(rawValue: lookup.status.rawValue) ?? .failed
        }
        try ask(.unreadableLabel, if: barcode.hasUnreadableLabel)
        try ask(.ambiguous, if: !barcode.alternatives.isEmpty || barcode.namesSeveralProducts)
        try ask(.severalProducts, if: match.isAmbiguous)
        try ask(.rapidLines, if: isRapidLine)
        try ask(.coupon, if: barcode.kind == .coupon)
        try ask(.logisticUnit, if: barcode.gs1?["37"] != nil)
        let product = match.product
        if let charge = try labelPrice(barcode, product) { return charge }
        try ask(.oldPrice, if: !product.datedPrices.isEmpty && !isClockSet)
        guard let price = product.price else { throw .noPrice }
        if case .stale = lookup.origin { throw .oldPrice }
        let (quantity, unit, source) = try quantity(barcode, unit: product.unit)
        guard let amount = price.times(quantity, rounded: source == .labelMeasure) else {
            throw .fraction
        }
        return .amount(amount, price.currency, quantity: quantity, unit: unit, source: source)
    }

    /// Returns the charge for a code that states the total price; nil if it states none.
    private static func labelPrice(
        _ barcode: Barcode, _ product: Product
    ) throws(Reason) -> Charge? {
        let paid: DecimalNumber
        var currency = product.price?.currency
        if let price = barcode.inStore?.price {
            paid = price
            if let own = barcode.inStore?.currency { currency = Currency(own) }
        } else if let element = barcode.gs1?.elements.first(where: \.isPrice) {
            guard let price = element.decimal else { throw .unreadableLabel }
            paid = price
            if let number = element.currency { currency = Currency(number: number) }
        } else {
            return nil
        }
        guard let currency else { throw .unknownCurrency }
        guard let price = try? Price(amount: paid.description, currency: currency),
            let amount = price.times(.one, rounded: false)
        else { throw .fraction }
        return .amount(amount, currency, quantity: .one, unit: "pcs", source: .labelPrice)
    }

    /// Returns the quantity to charge, with its unit and ``Source``.
    private static func quantity(
        _ barcode: Barcode, unit: String?
    ) throws(Reason) -> (DecimalNumber, String, Source) {
        let known = unit.map(ProductUnit.init)
        let measures = barcode.measures
        if let (measure, measured) = measures.first(where: { known == .measure($0.unit) }) {
            return (measure, unit ?? measured, .labelMeasure)
        }
        guard measures.isEmpty else { throw .measure }
        switch known {
        case .measure: throw .measure
        case .unknown: throw .unknownUnit
        case .package where barcode.count != nil: throw .measure
        case .piece, .package, nil: break
        }
        if let count = barcode.count {
            return (count, unit ?? "pcs", .labelCount)
        }
        // A GTIN with the indicator 9 identifies goods that are sold by measure.
        if barcode.gtin?.text.hasPrefix("9") == true { throw .measure }
        return (.one, unit ?? "pcs", .product)
    }
}

extension Charge {
    var data: JSONValue {
        var data = JSONObject(capacity: 5)
        switch self {
        case .amount(let amount, let currency, let quantity, let unit, let source):
            data.appendNew("amount", .string(amount))
            data.appendNew("currency", .string(currency.code))
            data.appendNew("quantity", .string(quantity.description))
            data.appendNew("unit", .string(unit))
            data.appendNew("from", .string(source.rawValue))
        case .undecided(let reason):
            data.appendNew("amount", .null)
            data.appendNew("reason", .string(reason.rawValue))
        }
        return .object(data)
    }
}

extension Barcode {
    fileprivate var hasUnreadableLabel: Bool {
        if let label = self.inStore {
            let values = [label.price?.significand, label.weight?.significand]
            if label.valueCheckDigit == .invalid || label.count == 0 || values.contains(0) {
                return true
            }
        }
        if self.alternatives.contains(where: { $0.inStore?.price != nil }) { return true }
        let values = self.gs1?.elements.filter(\.isLabelValue) ?? []
        let doubts: [Problem.Code] = [.fnc1MissingSuspect, .exclusivePair, .repeatedAIDiffers]
        let hasOnlyUnitPrice =
            !values.contains(where: \.isPrice)
            && self.gs1?.elements.contains(where: \.isUnitPrice) == true
        return hasOnlyUnitPrice || values.contains { !$0.isSound || $0.isZero }
            || !values.isEmpty && self.problems.contains { doubts.contains($0.code) }
    }

    fileprivate var namesSeveralProducts: Bool {
        Set(self.gs1?.elements.filter { $0.ai == "01" }.map(\.value) ?? []).count > 1
    }

    fileprivate var measures: [(DecimalNumber, unit: String)] {
        if let weight = self.inStore?.weight { return [(weight, "kg")] }
        return self.gs1?.elements.compactMap { element in
            guard let unit = element.measuredUnit, let decimal = element.decimal else { return nil }
            return (decimal, unit)
        } ?? []
    }

    /// The number of pieces stated in the code; nil if none is stated.
    fileprivate var count: DecimalNumber? {
        if let count = self.inStore?.count {
            return DecimalNumber(significand: UInt64(count), decimals: 0)
        }
        guard let text = self.gs1?["30"], let count = UInt64(text) else { return nil }
        return DecimalNumber(significand: count, decimals: 0)
    }
}

/// The units of net measures, keyed by the first three digits of the application identifier.
///
/// Rule: GS1 General Specifications, section 3.6.2.
private let netMeasures = [
    "310": "kg", "311": "m", "314": "m2", "315": "l", "316": "m3", "320": "lb", "321": "in",
    "322": "ft", "323": "yd", "357": "oz",
]

extension GS1Element {
    /// Whether the element is the amount payable for a variable measure trade item.
    ///
    /// Rule: GS1 General Specifications, section 3.8.
    fileprivate var isPrice: Bool {
        ai.utf8.count == 4 && (ai.hasPrefix("392") || ai.hasPrefix("393"))
    }

    /// Whether the element is a price per unit of measure, which may differ from the catalog's price.
    fileprivate var isUnitPrice: Bool { ai == "8005" || ai.utf8.count == 4 && ai.hasPrefix("395") }

    fileprivate var measuredUnit: String? {
        ai.utf8.count == 4 ? netMeasures[String(ai.prefix(3))] : nil
    }

    fileprivate var isLabelValue: Bool {
        isPrice || measuredUnit != nil || ai == "30" || ai == "37"
    }

    fileprivate var isZero: Bool { (decimal?.significand ?? UInt64(value)) == 0 }
}

extension DecimalNumber {
    fileprivate static let one = DecimalNumber(significand: 1, decimals: 0)
}

extension Price {
    /// Returns the price of a quantity, with as many decimals as the currency has.
    ///
    /// If `rounded` is true, the price is rounded half up. If `rounded` is false, the result is nil for a price that
    /// needs rounding. The result is also nil if a number is too large, or if the price rounds to zero.
    fileprivate func times(_ quantity: DecimalNumber, rounded: Bool) -> String? {
        let parts = amount.split(separator: ".")
        // With these limits, no calculation below overflows.
        guard let significand = UInt64(parts.joined()), quantity.decimals <= 9,
            quantity.significand < 1_000_000_000_000
        else { return nil }
        let decimals = (parts.count > 1 ? parts[1].utf8.count : 0) + quantity.decimals
        var total = UInt128(significand) * UInt128(quantity.significand)
        let surplus = decimals - currency.minorDigits
        if surplus > 0 {
            let unit = (0..<surplus).reduce(UInt128(1)) { power, _ in power * 10 }
            if !rounded && total % unit != 0 { return nil }
            total = (total + unit / 2) / unit
        } else {
            for _ in surplus..<0 { total *= 10 }
        }
        let isFree = significand == 0 || quantity.significand == 0
        guard let units = UInt64(exactly: total), units > 0 || isFree else { return nil }
        return DecimalNumber(significand: units, decimals: currency.minorDigits).description
    }
}
