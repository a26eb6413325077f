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
        /// A serial publication.
        case issn
        /// A number a shop or company gave for its own use, often with price or weight.
        case inStore = "in-store"
        /// A coupon or a refund receipt.
        case coupon
        /// A web address that is no Digital Link.
        case url
        /// Anything else.
        case text
    }

    /// The characters read, without the AIM identifier.
    public var text: String
    /// The AIM identifier that came with the text.
    public var aim: AIMIdentifier?
    /// The kind of symbol, nil when unknown.
    public var symbology: Symbology?
    /// Whether the symbology was inferred from the text, for want of an AIM identifier.
    public var inferred: Bool
    /// What the code is for.
    public var kind: Kind
    /// The product's number, nil where the code carries none or a wrong one.
    public var gtin: GTIN?
    /// The verdict on the code's own check digit, nil where it has none.
    public var checkDigit: CheckDigitVerdict?
    /// The digits of an add-on beside the symbol: an issue, or a price.
    public var addOn: String? {
        get { rare.addOn }
        set { rare.addOn = newValue }
    }
    /// What an in-store code holds, nil for all other codes.
    public var inStore: InStoreCode? {
        get { rare.inStore }
        set { rare.inStore = newValue }
    }
    /// The GS1 element strings, nil where the code carries none.
    public var gs1: GS1Message?
    /// What is wrong or doubtful, in the order found.
    public var problems: [Problem]

    private var rare = Rare.none

    /// The rare part of the result, kept apart so that the usual one is quickly copied.
    private enum Rare: Hashable, Sendable {
        case none
        indirect case some(addOn: String?, inStore: InStoreCode?)

        private init(addOn: String?, inStore: InStoreCode?) {
            let isNone = addOn == nil && inStore == nil
            self = isNone ? .none : .some(addOn: addOn, inStore: inStore)
        }

        var addOn: String? {
            get { if case .some(let addOn, _) = self { addOn } else { nil } }
            set { self = Rare(addOn: newValue, inStore: inStore) }
        }

        var inStore: InStoreCode? {
            get { if case .some(_, let inStore) = self { inStore } else { nil } }
            set { self = Rare(addOn: addOn, inStore: newValue) }
        }
    }

    /// A code of kind `text` of which nothing is known but its text.
    ///
    /// - Parameters:
    ///   - text: The characters read, without the AIM identifier.
    ///   - aim: The AIM identifier that came with the text.
    public init(text: String, aim: AIMIdentifier? = nil) {
        self.text = text
        self.aim = aim
        inferred = false
        kind = .text
        problems = []
    }
}

extension Barcode {
    /// The book, where the code is one's.
    public var isbn: ISBN? { kind == .isbn ? gtin.flatMap(ISBN.init(gtin:)) : nil }

    /// The serial publication, where the code is one's.
    public var issn: ISSN? { kind == .issn ? gtin.flatMap(ISSN.init(gtin:)) : nil }

    /// The two variant digits of a serial publication's number.
    public var issnVariant: String? { kind == .issn ? gtin.flatMap(ISSN.variant(of:)) : nil }

    /// The number to look a product up with: that of an in-store code has zeros for the price,
    /// weight or count.
    public var lookupGTIN: GTIN? { inStore?.lookupGTIN ?? gtin }
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
        problems = problems.map { problem in
            guard let span = problem.span else { return problem }
            let start = characters[min(span.lowerBound, last)]
            let end = characters[min(max(span.upperBound, 1), last + 1) - 1] + 1
            return Problem(
                code: problem.code, severity: problem.severity, message: problem.message,
                span: start..<max(start, min(end, count + 1)))
        }
    }
}
