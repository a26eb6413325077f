/// What a scan means: the decoder's result.
///
/// A code with problems is a result like any other; only what is known to be right is in `gtin`.
public struct Barcode: Hashable, Sendable {
    /// What a code is for.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A product's number.
        case gtin
        /// GS1 element strings, or a GS1 Digital Link.
        case gs1
        /// A book.
        case isbn
        /// The second row of a Japanese book: its class and its price, no product.
        case bookDetails = "book-details"
        /// A serial publication.
        case issn
        /// A number a shop or company gave for its own use, often with price or weight.
        case inStore = "in-store"
        /// A coupon or a refund receipt.
        case coupon
        /// A medical device, by the Health Industry Bar Code of its maker.
        case hibc
        /// An article of German pharmacies.
        case pzn
        /// Fields with data identifiers of ANSI MH10.8.2, as on labels of distributors.
        case mh10
        /// An item or a patron of a library.
        case library
        /// A web address that is no Digital Link.
        case url
        /// Anything else.
        case text
    }

    /// The characters read, without the AIM identifier.
    public var text: String
    /// The AIM identifier that came with the text.
    public var aim: AIMIdentifier?
    /// What the text says, or the likeliest of several readings.
    public var reading: Reading

    /// A code of kind `text` of which nothing is known but its text.
    ///
    /// - Parameters:
    ///   - text: The characters read, without the AIM identifier.
    ///   - aim: The AIM identifier that came with the text.
    public init(text: String, aim: AIMIdentifier? = nil) {
        self.init(text: text, aim: aim, reading: Reading())
    }

    init(text: String, aim: AIMIdentifier?, reading: Reading) {
        self.text = text
        self.aim = aim
        self.reading = reading
    }
}

/// One way to read a text: what a reader makes of it.
public struct Reading: Hashable, Sendable {
    /// The kind of symbol, nil when unknown.
    public var symbology: Symbology?
    /// What the code is for.
    public var kind = Barcode.Kind.text
    /// The product's number, nil if the code carries none or a wrong one.
    public var gtin: GTIN?
    /// A number of another system than GS1's that names the product, as it is usually written.
    public var number: String?
    /// The verdict on the code's own check digit, nil if it was not checked.
    public var checkDigit: CheckDigitVerdict?
    /// The digits of an add-on beside the symbol: an issue, or a price.
    public var addOn: String?
    /// The GS1 element strings, nil if the code carries none.
    public var gs1: GS1Message?
    /// The fields of a code that names its parts itself, in the order read.
    public var fields: [DataField] = []
    /// What is wrong or doubtful, in the order found.
    public var problems: [Problem] = []
    /// What else the text can be, the likeliest first; they have no alternatives themselves.
    public var alternatives: [Reading] = []
    /// Whether the text is as likely some number of the shop's own.
    var isDoubtful = false
    private var boxedInStore: Boxed<InStoreCode>?

    /// A text of which nothing is known.
    public init() {}

    init(
        _ kind: Barcode.Kind, symbology: Symbology? = nil, gtin: GTIN? = nil,
        checkDigit: CheckDigitVerdict? = nil, problems: [Problem] = []
    ) {
        self.symbology = symbology
        self.kind = kind
        self.gtin = gtin
        self.checkDigit = checkDigit
        self.problems = problems
    }

    /// What an in-store code holds, nil for all other codes.
    public var inStore: InStoreCode? {
        get { boxedInStore?.value }
        set { boxedInStore = newValue.map(Boxed.value) }
    }

}

/// A large value that few codes have, kept apart so that all others are quickly copied.
private indirect enum Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
    case value(Value)

    var value: Value {
        switch self {
        case .value(let value): value
        }
    }
}

extension Barcode {
    /// Whether the symbology was inferred from the text, for want of an AIM identifier.
    public var inferred: Bool { aim == nil && symbology != nil }
    /// The kind of symbol, nil when unknown.
    public var symbology: Symbology? { reading.symbology }
    /// What the code is for.
    public var kind: Kind { reading.kind }
    /// The product's number, nil if the code carries none or a wrong one.
    public var gtin: GTIN? { reading.gtin }
    /// A number of another system than GS1's that names the product, as it is usually written.
    public var number: String? { reading.number }
    /// The verdict on the code's own check digit, nil if it was not checked.
    public var checkDigit: CheckDigitVerdict? { reading.checkDigit }
    /// The digits of an add-on beside the symbol: an issue, or a price.
    public var addOn: String? { reading.addOn }
    /// What an in-store code holds, nil for all other codes.
    public var inStore: InStoreCode? { reading.inStore }
    /// The GS1 element strings, nil if the code carries none.
    public var gs1: GS1Message? { reading.gs1 }
    /// The fields of a code that names its parts itself, in the order read.
    public var fields: [DataField] { reading.fields }
    /// What is wrong or doubtful, in the order found.
    public var problems: [Problem] { reading.problems }
    /// What else the text can be, the likeliest first; empty unless a problem is `ambiguous`.
    public var alternatives: [Reading] { reading.alternatives }

    /// The code after a catalog has listed it by the text as it was read: such a number needs no
    /// check digit, so a wrong one is none of its problems.
    package var listed: Barcode {
        let isOther = [.hibc, .pzn].contains(kind) && checkDigit == .invalid
        guard aim == nil && kind == .text || isOther else { return self }
        var barcode = self
        if isOther { barcode.reading = Reading() }
        barcode.reading.problems.removeAll { $0.code == .wrongCheckDigit }
        barcode.reading.checkDigit = nil
        return barcode
    }
}

extension Barcode {
    /// Turns the problems' spans from bytes into characters (Unicode scalars).
    mutating func countCharacters() {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return }
        var characters: [Int] = []
        var count = -1
        for byte in text.utf8 {
            if byte & 0xC0 != 0x80 { count += 1 }
            characters.append(count)
        }
        characters.append(count + 1)
        let last = characters.count - 1
        reading.problems = problems.map { problem in
            guard let span = problem.span else { return problem }
            let start = characters[min(span.lowerBound, last)]
            let end = characters[min(max(span.upperBound, 1), last + 1) - 1] + 1
            return Problem(
                code: problem.code, severity: problem.severity, message: problem.message,
                span: start..<max(start, min(end, count + 1)))
        }
    }
}
