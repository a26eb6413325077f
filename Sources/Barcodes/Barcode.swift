/// A decoded scan: the scanned text and what it means.
///
/// Codes with errors are decoded, too. Only a number with a correct check digit becomes the `gtin`.
@dynamicMemberLookup
public struct Barcode: Hashable, Sendable {
    /// The kind of content in a code.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case gtin
        /// GS1 element strings, or a GS1 Digital Link.
        case gs1
        case isbn
        /// The second barcode on a Japanese book: the book's class and price, but not its number.
        case bookDetails = "book-details"
        case issn
        /// A number that a shop or company assigned for its own use, often with a price or weight.
        case inStore = "in-store"
        /// A coupon or a refund receipt.
        case coupon
        /// A Health Industry Bar Code, which identifies a medical device.
        case hibc
        /// A German pharmacy product number (Pharmazentralnummer).
        case pzn
        /// Fields with ANSI MH10.8.2 data identifiers, as on distributors' labels.
        case mh10
        /// The number of a library item or patron.
        case library
        /// A web address that is not a Digital Link.
        case url
        case text
    }

    /// The scanned characters, without the AIM identifier.
    public var text: String
    /// The AIM identifier that the scanner sent before the text; nil if it sent none.
    public var aim: AIMIdentifier?
    /// The likeliest reading of the text; its `alternatives` are the other possible readings.
    public var reading: Reading

    /// Creates a barcode; its kind is `text` unless you pass a reading.
    @inline(__always)
    public init(text: String, aim: AIMIdentifier? = nil, reading: Reading = Reading()) {
        self.text = text
        self.aim = aim
        self.reading = reading
    }
}

/// One possible meaning of the scanned text.
@dynamicMemberLookup
public struct Reading: Hashable, Sendable {
    /// The symbology, such as EAN-13; nil if it is unknown.
    public var symbology: Symbology?
    /// The kind of content; `text` if nothing more specific was recognised.
    public var kind: Barcode.Kind
    /// The product's number as a GTIN; nil if the code contains no valid one.
    public var gtin: GTIN?
    /// Whether the check digit (in GS1 codes, the first element's) is correct; nil if it was not checked.
    public var checkDigit: CheckDigitVerdict?
    /// The GS1 element strings; nil if the code contains none.
    public var gs1: GS1Message? = nil
    /// The errors and warnings about the text, in the order in which they were found.
    public var problems: [Problem]
    /// The details, stored as an array of at most one element to save space.
    fileprivate var details: [Details] = []

    /// Creates an empty reading of kind `text`.
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
    /// Properties that few codes have; they are stored separately to make all other codes cheap to copy.
    public struct Details: Hashable, Sendable {
        /// The number in a system other than GS1's, such as a PZN; nil if the code has no such number.
        public var number: String?
        /// The code's named parts in the order read, such as an HIBC's lot and expiry date; may be empty.
        public var fields: [DataField] = []
        /// The digits of the add-on symbol (an issue number or a price); nil if there is no add-on.
        public var addOn: String?
        /// The item and values of an in-store code; nil for all other codes.
        public var inStore: InStoreCode?
        /// The other readings of the text, likeliest first; their own `alternatives` are empty.
        public var alternatives: [Reading] = []
        /// Whether the reading is uncertain, because a number with another meaning may look the same.
        var isDoubtful = false
    }

    /// Reads or writes a property of ``Details``, for instance `reading.addOn`.
    @inline(__always)
    public subscript<Value>(dynamicMember member: WritableKeyPath<Details, Value>) -> Value {
        get { (details.first ?? Details())[keyPath: member] }
        set {
            var changed = details.first ?? Details()
            changed[keyPath: member] = newValue
            details = changed == Details() ? [] : [changed]
        }
    }

    /// Whether the reading has problems or ``Details``.
    @inline(__always)
    var isRemarkable: Bool { !details.isEmpty || !problems.isEmpty }
}

extension Barcode {
    /// Whether the symbology was inferred from the text because there was no AIM identifier.
    public var inferred: Bool { aim == nil && reading.symbology != nil }

    /// Reads a property of ``reading``: `barcode.kind` is short for `barcode.reading.kind`.
    @inlinable
    public subscript<Value>(dynamicMember member: KeyPath<Reading, Value>) -> Value {
        reading[keyPath: member]
    }

    /// Reads a property of the reading's details: `barcode.addOn` is short for `barcode.reading.addOn`.
    public subscript<Value>(dynamicMember member: KeyPath<Reading.Details, Value>) -> Value {
        (reading.details.first ?? Reading.Details())[keyPath: member]
    }

    /// The barcode to report if a catalog contains its exact text: a wrong check digit is then not always an error.
    ///
    /// An HIBC or PZN with a wrong check digit becomes plain text. In plain text without an AIM identifier, a wrong
    /// check digit is no longer a problem. All other codes stay unchanged.
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
    /// Adds a problem if the text has several readings, and converts the spans of all problems from byte offsets to
    /// Unicode scalar offsets.
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
