/// How the prices of one file are written, learned from all of them.
///
/// `1.999` alone may mean thousands or thousandths. Each price that can be read in one way only shows the
/// file's decimal sign, and after the last row that sign decides the others. If the file shows no sign,
/// or both, they stay open.
struct PriceNotation: Sendable {
    /// The decimal sign that was given; nil to learn it.
    let given: DecimalMark?
    private var seen: Set<DecimalMark> = []

    init(given: DecimalMark? = nil) { self.given = given }

    /// The file's decimal sign, as far as it is known.
    var decimalMark: DecimalMark? { given ?? (seen.count == 1 ? seen.first : nil) }

    /// Reads a price in a cell.
    mutating func read(
        _ text: String, column: Currency?, fallback: Currency?
    ) throws(PriceError) -> PriceReading {
        let written = try WrittenPrice(
            text, column: column, fallback: fallback, decimalMark: given)
        if let evidence = written.number.evidence { seen.insert(evidence) }
        guard written.number.openMark != nil else {
            return .price(Price(written.number, currency: written.currency))
        }
        return .undecided(UndecidedPrice(text: text, written))
    }

    /// Decides an open price by its text, once all rows are read.
    func price(reading text: String, in currency: Currency?) throws(PriceError) -> Price {
        let written = try WrittenPrice(
            text, column: currency, fallback: nil, decimalMark: decimalMark)
        guard written.number.openMark != nil else {
            return Price(written.number, currency: written.currency)
        }
        return try price(of: UndecidedPrice(text: text, written))
    }

    /// Decides an open price, once all rows are read.
    func price(of undecided: UndecidedPrice) throws(PriceError) -> Price {
        guard let price = undecided.price(decimalMark: decimalMark) else {
            throw .ambiguous(text: undecided.text)
        }
        return price
    }
}

/// What a cell says of a price.
enum PriceReading: Equatable {
    case price(Price)
    /// A price that may mean thousands or thousandths.
    case undecided(UndecidedPrice)

    /// The price in words.
    var text: String {
        switch self {
        case .price(let price): price.description
        case .undecided(let price): price.text
        }
    }
}

/// A price that the file's decimal sign decides.
struct UndecidedPrice: Equatable {
    /// The price as the cell has it.
    let text: String
    private let written: WrittenPrice

    init(text: String, _ written: WrittenPrice) {
        (self.text, self.written) = (text, written)
    }

    /// Its currency.
    var currency: Currency { written.currency }

    /// The price, given the file's decimal sign; nil if it stays open.
    func price(decimalMark: DecimalMark?) -> Price? {
        // A currency of three decimals has them after the point, unless the file says otherwise.
        let isUsual = currency.minorDigits == 3 && written.number.openMark == .point
        guard let mark = decimalMark ?? (isUsual ? .point : nil) else { return nil }
        return Price(written.number.reading(openMarkAs: mark), currency: currency)
    }
}
