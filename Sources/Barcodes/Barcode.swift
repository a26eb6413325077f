/// What a scan means: the decoder's result.
///
/// A code with problems is a result like any other; only what is known to be right is in `gtin`.
@dynamicMemberLookup
public struct Barcode: Hashable, Sendable {
    /// What a code is for.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case gtin
        /// GS1 element strings, or a GS1 Digital Link.
        case gs1
        case isbn
        /// The second row of a Japanese book: its class and its price, no product.
        case bookDetails = "book-details"
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
        case text
    }

    /// The characters read, without the AIM identifier.
    public var text: String
    /// The AIM identifier that came with the text.
    public var aim: AIMIdentifier?
    /// The only reading of the text, or the likeliest of several.
    public var reading: Reading

    /// A code and its meaning; without one it is of kind `text`.
    @inline(__always)
    public init(text: String, aim: AIMIdentifier? = nil, reading: Reading = Reading()) {
        self.text = text
        self.aim = aim
        self.reading = reading
    }
}

/// One way to read a text.
@dynamicMemberLookup
public struct Reading: Hashable, Sendable {
    /// The kind of symbol, nil when unknown.
    public var symbology: Symbology?
    /// What the code is for.
    public var kind: Barcode.Kind
    /// The product's number, nil if the code carries none or a wrong one.
    public var gtin: GTIN?
    /// The verdict on the code's own check digit, nil if it was not checked.
    public var checkDigit: CheckDigitVerdict?
    /// The GS1 element strings, nil if the code carries none.
    public var gs1: GS1Message? = nil
    /// What is wrong or doubtful, in the order found.
    public var problems: [Problem]
    /// Empty, or one element.
    fileprivate var details: [Details] = []

    /// A text of which nothing is known.
    public init() { self.init(.text) }

    @inline(__always)
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
}

extension Reading {
    /// What few codes have, kept apart so that all other codes are quick to copy.
    public struct Details: Hashable, Sendable {
        /// A number of another system than GS1's that names the product, as it is usually written.
        public var number: String?
        /// The fields of a code that names its parts itself, in the order read.
        public var fields: [DataField] = []
        /// The digits of an add-on beside the symbol: an issue, or a price.
        public var addOn: String?
        /// The item and values of an in-store code, nil for all other codes.
        public var inStore: InStoreCode?
        /// The other readings of the text, the likeliest first; they have no alternatives themselves.
        public var alternatives: [Reading] = []
        /// Whether the text is as likely some number of the shop's own.
        var isDoubtful = false
    }

    /// Any of the details.
    @inline(__always)
    public subscript<Value>(dynamicMember member: WritableKeyPath<Details, Value>) -> Value {
        get { (details.first ?? Details())[keyPath: member] }
        set {
            var changed = details.first ?? Details()
            changed[keyPath: member] = newValue
            details = changed == Details() ? [] : [changed]
        }
    }

    /// Whether there are problems, or may be alternatives.
    @inline(__always)
    var isRemarkable: Bool { !details.isEmpty || !problems.isEmpty }
}

extension Barcode {
    /// Whether the symbology was inferred from the text, for want of an AIM identifier.
    public var inferred: Bool { aim == nil && reading.symbology != nil }

    /// Any member of the reading.
    @inlinable
    public subscript<Value>(dynamicMember member: KeyPath<Reading, Value>) -> Value {
        reading[keyPath: member]
    }

    /// Any of the reading's details.
    public subscript<Value>(dynamicMember member: KeyPath<Reading.Details, Value>) -> Value {
        (reading.details.first ?? Reading.Details())[keyPath: member]
    }

    /// The code after a catalog has listed it by the text as it was read: such a number needs no
    /// check digit, so the problem of a wrong one is removed.
    package var listed: Barcode {
        let isOther = [.hibc, .pzn].contains(reading.kind) && reading.checkDigit == .invalid
        guard aim == nil && reading.kind == .text || isOther else { return self }
        var barcode = self
        if isOther { barcode.reading = Reading() }
        barcode.reading.problems.removeAll { $0.code == .wrongCheckDigit }
        barcode.reading.checkDigit = nil
        return barcode
    }
}

extension Barcode {
    /// Reports several readings, and turns spans from bytes into characters (Unicode scalars).
    mutating func describeProblems() {
        if !reading.alternatives.isEmpty { reading.problems.append(.ambiguous(text, reading)) }
        let bytes = text.utf8.span
        guard bytes.firstIndex(where: { $0 >= 0x80 }) != nil else { return }
        for index in reading.problems.indices {
            guard let span = reading.problems[index].span else { continue }
            // A span may start within a character.
            let start = bytes.scalarCount(before: span.lowerBound + 1) - 1
            let end = bytes.scalarCount(before: min(span.upperBound, bytes.count))
            reading.problems[index].span = start..<max(start, end)
        }
    }
}
