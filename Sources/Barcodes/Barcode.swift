/// A decoded scan: its text and what the text means.
///
/// A code with problems is still a result, but `gtin` only ever holds a number whose check digit is right.
@dynamicMemberLookup
public struct Barcode: Hashable, Sendable {
    /// The purpose of a code.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case gtin
        /// GS1 element strings, or a GS1 Digital Link.
        case gs1
        case isbn
        /// The second barcode on a Japanese book: its class and price; it names no product.
        case bookDetails = "book-details"
        case issn
        /// A number that a shop or company assigned for its own use, often with a price or weight.
        case inStore = "in-store"
        /// A coupon or a refund receipt.
        case coupon
        /// A medical device, identified by its maker's Health Industry Bar Code.
        case hibc
        /// A German pharmacy article (Pharmazentralnummer).
        case pzn
        /// Fields with ANSI MH10.8.2 data identifiers, as on distributors' labels.
        case mh10
        /// A library's item or patron.
        case library
        /// A web address that is not a Digital Link.
        case url
        case text
    }

    /// The scanned characters, without the AIM identifier.
    public var text: String
    /// The AIM identifier that the scanner sent before the text.
    public var aim: AIMIdentifier?
    /// The only reading of the text, or the likeliest of several.
    public var reading: Reading

    /// Makes a code; without a reading it is of kind `text`.
    @inline(__always)
    public init(text: String, aim: AIMIdentifier? = nil, reading: Reading = Reading()) {
        self.text = text
        self.aim = aim
        self.reading = reading
    }
}

/// One way to read the scanned text.
@dynamicMemberLookup
public struct Reading: Hashable, Sendable {
    /// The kind of symbol; nil if unknown.
    public var symbology: Symbology?
    /// The purpose of the code.
    public var kind: Barcode.Kind
    /// The product's number; nil if the code has none, or one with a wrong check digit.
    public var gtin: GTIN?
    /// Whether the code's own check digit is right; nil if it was not checked.
    public var checkDigit: CheckDigitVerdict?
    /// The GS1 element strings; nil if the code has none.
    public var gs1: GS1Message? = nil
    /// The errors and doubts, in the order found.
    public var problems: [Problem]
    /// Empty, or one element: an array keeps the struct small for the many codes without details.
    fileprivate var details: [Details] = []

    /// Makes a reading that knows nothing about the text.
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
    /// Properties that few codes have, stored apart so that all other codes are cheap to copy.
    public struct Details: Hashable, Sendable {
        /// A number outside the GS1 system that names the product, in its usual spelling.
        public var number: String?
        /// The fields of a code that labels its own parts, in the order read.
        public var fields: [DataField] = []
        /// The digits of the add-on beside the symbol: an issue, or a price.
        public var addOn: String?
        /// The item and values of an in-store code; nil for all other codes.
        public var inStore: InStoreCode?
        /// The other readings of the text, likeliest first; their own `alternatives` are empty.
        public var alternatives: [Reading] = []
        /// Whether the text is just as likely to be one of the shop's own numbers.
        var isDoubtful = false
    }

    /// A property of ``Details``.
    @inline(__always)
    public subscript<Value>(dynamicMember member: WritableKeyPath<Details, Value>) -> Value {
        get { (details.first ?? Details())[keyPath: member] }
        set {
            var changed = details.first ?? Details()
            changed[keyPath: member] = newValue
            details = changed == Details() ? [] : [changed]
        }
    }

    /// Whether the reading has problems or details, so the decoder has to look at it again.
    @inline(__always)
    var isRemarkable: Bool { !details.isEmpty || !problems.isEmpty }
}

extension Barcode {
    /// Whether the symbology was inferred from the text because there was no AIM identifier.
    public var inferred: Bool { aim == nil && reading.symbology != nil }

    /// A property of the reading.
    @inlinable
    public subscript<Value>(dynamicMember member: KeyPath<Reading, Value>) -> Value {
        reading[keyPath: member]
    }

    /// A property of the reading's details.
    public subscript<Value>(dynamicMember member: KeyPath<Reading.Details, Value>) -> Value {
        (reading.details.first ?? Reading.Details())[keyPath: member]
    }

    /// The code without the problem of a wrong check digit, for use after a catalog listed exactly this text: such a
    /// number needs no check digit.
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
    /// Reports alternative readings, and converts spans from bytes to characters (Unicode scalars).
    mutating func describeProblems() {
        if !reading.alternatives.isEmpty { reading.problems.append(.ambiguous(text, reading)) }
        let bytes = text.utf8.span
        guard bytes.firstIndex(where: { $0 >= 0x80 }) != nil else { return }
        for index in reading.problems.indices {
            guard let span = reading.problems[index].span else { continue }
            // A span may start inside a character.
            let start = bytes.scalarCount(before: span.lowerBound + 1) - 1
            let end = bytes.scalarCount(before: min(span.upperBound, bytes.count))
            reading.problems[index].span = start..<max(start, end)
        }
    }
}
