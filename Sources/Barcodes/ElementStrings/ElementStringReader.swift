/// Reads GS1 element strings and collects what is wrong with them.
///
/// Offsets are those of bytes; the decoder turns them into characters at the end.
///
/// Rule: GS1 General Specifications, section 7.8; the formats are GS1's Barcode Syntax
/// Dictionary's.
struct ElementStringReader {
    /// FNC1 as scanners send it between element strings.
    static let separator: UInt8 = 0x1D

    /// What was read, in order.
    private(set) var elements: [GS1Element] = []
    /// What is wrong with it.
    var problems: [Problem] = []

    /// Reads what a scanner sent: identifiers and values, with separators in between.
    ///
    /// One separator behind a value of predefined length is superfluous but allowed, as is one at
    /// the end.
    mutating func readScanData(_ bytes: Span<UInt8>, from start: Int) {
        var at = start
        var allowsSeparator = false
        while at < bytes.count {
            if bytes[at] == Self.separator {
                if !allowsSeparator { problems.append(.misplacedFNC1(at: at)) }
                allowsSeparator = false
                at += 1
            } else {
                at = readElement(bytes, at: at)
                allowsSeparator = true
            }
        }
        checkTogether()
    }

    /// Reads one element string and returns where it ends.
    private mutating func readElement(_ bytes: Span<UInt8>, at: Int) -> Int {
        guard let ai = ApplicationIdentifier.lookup(in: bytes, at: at) else {
            return skipUnknown(bytes, at: at)
        }
        let start = at + Int(ai.length)
        let spec = ai.spec
        var limit = bytes.count
        if spec.isPredefined { limit = min(limit, start + spec.most) }
        var end = start
        while end < limit, bytes[end] != Self.separator { end += 1 }
        append(ai, bytes, start..<end)
        if !spec.isPredefined { suspectMissingSeparator(ai, bytes, start..<end) }
        return end
    }

    /// Tells of digits that are no identifier and returns where to go on: behind the value where
    /// its first two digits predefine its length, else at the next separator.
    private mutating func skipUnknown(_ bytes: Span<UInt8>, at: Int) -> Int {
        let separator = bytes.firstIndex(of: Self.separator, from: at)
        let end = bytes.scalarEnd(min(at + 4, separator))
        problems.append(.unknownAI(bytes.string(at..<end), at: at))
        guard let length = Self.predefinedLength(bytes, at: at) else { return separator }
        return min(separator, at + length)
    }

    /// The length of identifier and value that the first two digits fix, assigned or not.
    ///
    /// Rule: GS1 General Specifications, figure 7.8.5-2.
    static func predefinedLength(_ bytes: Span<UInt8>, at: Int) -> Int? {
        guard at + 2 <= bytes.count, let prefix = bytes.extracting(at..<at + 2).number else {
            return nil
        }
        switch prefix {
        case 0: return 2 + 18
        case 1...3: return 2 + 14
        case 4: return 2 + 16
        case 11...19: return 2 + 6
        case 20: return 2 + 2
        case 31...36: return 4 + 6
        case 41: return 3 + 13
        default: return nil
        }
    }

    /// Takes a value that stands in the text as it is.
    mutating func append(
        _ ai: ApplicationIdentifier, _ bytes: Span<UInt8>, _ range: Range<Int>
    ) {
        if elements.isEmpty { elements.reserveCapacity(8) }
        elements.append(GS1Element(ai, bytes.string(range), source: range))
        for violation in Self.violations(of: ai, in: bytes.extracting(range)) {
            let start = range.lowerBound + violation.range.lowerBound
            let span = start..<bytes.scalarEnd(start + violation.range.count)
            problems.append(
                .violation(violation, ai, bytes.string(range), bytes.string(span), span))
        }
    }

    /// Takes a value that stands in the text in an encoded form.
    mutating func append(
        _ ai: ApplicationIdentifier, decoded: [UInt8], source: Range<Int>
    ) {
        let value = decoded.span
        let all = value.string(0..<value.count)
        elements.append(GS1Element(ai, all, source: source))
        for violation in Self.violations(of: ai, in: value) {
            problems.append(.violation(violation, ai, all, value.string(violation.range), source))
        }
    }
}
