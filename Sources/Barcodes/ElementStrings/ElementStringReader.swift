/// A reader for GS1 element strings, which also collects their problems.
///
/// All offsets are in bytes; the decoder later converts the problems' offsets to Unicode scalars.
///
/// Rule: GS1 General Specifications, section 7.8; the formats come from GS1's Barcode Syntax Dictionary.
struct ElementStringReader {
    /// The control character GS, which scanners send for FNC1 between element strings.
    static let separator: Unicode.Scalar = "\u{1D}"

    private(set) var elements: [GS1Element] = []
    var problems: [Problem] = []

    init() {}

    /// Reads the element strings in scanned text, starting at the offset `start`.
    init(scanData bytes: Span<UInt8>, from start: Int = 0) {
        var at = start
        var allowsSeparator = false
        while at < bytes.count {
            if bytes[at] == Self.separator {
                if !allowsSeparator {
                    problems.append(
                        Problem(
                            .error, .misplacedFNC1, "A separator is misplaced",
                            expected: "an application identifier", got: "FNC1", at: at..<at + 1))
                }
                allowsSeparator = false
                at += 1
            } else {
                at = readElement(bytes, at: at)
                allowsSeparator = true
            }
        }
        checkTogether()
    }

    private mutating func readElement(_ bytes: Span<UInt8>, at: Int) -> Int {
        guard let ai = ApplicationIdentifier.lookup(in: bytes, at: at) else {
            return skipUnknown(bytes, at: at)
        }
        let start = at + ai.length
        let spec = ai.spec
        var limit = bytes.count
        if spec.isPredefined { limit = min(limit, start + spec.most) }
        let end = start + bytes.extracting(start..<max(start, limit)).firstIndex(of: Self.separator)
        append(ai, bytes, start..<end)
        if !spec.isPredefined { suspectMissingSeparator(ai, bytes, start..<end) }
        return end
    }

    /// Reports an unknown identifier and returns the offset at which its element ends.
    ///
    /// This is the next separator, the text's end or the end that the first two digits determine, whichever is first.
    private mutating func skipUnknown(_ bytes: Span<UInt8>, at: Int) -> Int {
        let separator = bytes.firstIndex(of: Self.separator, from: at)
        let end = bytes.scalarEnd(min(at + 4, separator))
        problems.append(.unknownAI(bytes.string(at..<end), at: at))
        guard at + 2 <= bytes.count, let prefix = bytes.extracting(at..<at + 2).number,
            let length = ApplicationIdentifier.predefinedLength(prefix)
        else { return separator }
        return min(separator, at + length)
    }

    /// Adds an element string and its problems.
    ///
    /// `range` is the value's range in `bytes`. If `bytes` were decoded from the scanned text, `source` is the value's
    /// range in that text.
    mutating func append(
        _ ai: ApplicationIdentifier, _ bytes: Span<UInt8>, _ range: Range<Int>,
        decodedFrom source: Range<Int>? = nil
    ) {
        if elements.isEmpty { elements.reserveCapacity(8) }
        let violations = Self.violations(of: ai, in: bytes.extracting(range))
        let value = bytes.string(range)
        elements.append(
            GS1Element(ai, value, source: source ?? range, breaking: violations.map(\.code)))
        for violation in violations {
            let start = range.lowerBound + violation.range.lowerBound
            let span = start..<bytes.scalarEnd(start + violation.range.count)
            let isLength = violation.code == .wrongLength
            problems.append(
                Problem(
                    .error, violation.code, "\"\(value)\" in (\(ai)) is invalid",
                    expected: violation.expected,
                    got: isLength ? "\(violation.range.count)" : "\"\(bytes.string(span))\"",
                    at: source ?? span))
        }
    }

    mutating func append(_ ai: ApplicationIdentifier, decoded value: String, source: Range<Int>) {
        append(ai, value.utf8.span, 0..<value.utf8.count, decodedFrom: source)
    }
}

extension ElementStringReader {
    /// Checks a value against the format of its identifier; allocates no memory if the value is valid.
    static func violations(
        of ai: ApplicationIdentifier, in value: Span<UInt8>
    ) -> [ContentRule.Violation] {
        let spec = ai.spec
        let lengths = max(1, spec.least)...spec.most
        guard lengths.contains(value.count) else {
            return [lengthViolation(value.count, lengths, from: 0)]
        }
        var found: [ContentRule.Violation] = []
        var at = 0
        for index in spec.components {
            let component = ApplicationIdentifierTable.components[index]
            let count = min(component.length.upperBound, value.count - at)
            if count == 0, component.isOptional { break }
            guard count >= component.length.lowerBound else {
                found.append(lengthViolation(count, component.length, from: at))
                break
            }
            check(component, value.extracting(at..<at + count), from: at, &found)
            at += count
        }
        return found
    }

    @inline(__always)
    private static func check(
        _ component: GS1Component, _ part: Span<UInt8>, from start: Int,
        _ found: inout [ContentRule.Violation]
    ) {
        if let violation = component.characters.characterViolation(in: part) {
            found.append(violation.moved(by: start))
            return
        }
        for rule in component.checks {
            if let violation = rule.violation(in: part) {
                found.append(violation.moved(by: start))
            }
        }
    }

    private static func lengthViolation(
        _ count: Int, _ lengths: ClosedRange<Int>, from start: Int
    ) -> ContentRule.Violation {
        let (least, most) = (lengths.lowerBound, lengths.upperBound)
        let expected = least == most ? "\(most)" : "\(least) to \(most)"
        return .init(start..<start + count, "\(expected) characters", .wrongLength)
    }
}

extension ElementStringReader {
    /// Reads the human-readable form: `(01)09506000134352(10)LOT-7`.
    ///
    /// A bracket starts an identifier only if two to four digits and `)` follow it, and no backslash precedes it.
    init(bracketed bytes: Span<UInt8>) {
        var at = 0
        while let digits = Self.bracketedDigits(bytes, at: at) {
            let start = digits.upperBound + 1
            var end = start
            while end < bytes.count, !Self.startsElement(bytes, at: end, from: start) { end += 1 }
            readBracketed(bytes, digits, start..<end)
            at = end
        }
        checkTogether()
    }

    private mutating func readBracketed(
        _ bytes: Span<UInt8>, _ digits: Range<Int>, _ range: Range<Int>
    ) {
        guard let ai = ApplicationIdentifier.lookup(in: bytes, at: digits.lowerBound),
            ai.length == digits.count
        else {
            problems.append(.unknownAI(bytes.string(digits), at: digits.lowerBound))
            return
        }
        if range.contains(where: { Self.isEscape(bytes, at: $0) }) {
            let kept = range.filter { !Self.isEscape(bytes, at: $0) }.map { bytes[$0] }
            append(ai, decoded: String(decoding: kept, as: UTF8.self), source: range)
        } else {
            append(ai, bytes, range)
        }
    }

    static func bracketedDigits(_ bytes: Span<UInt8>, at start: Int) -> Range<Int>? {
        guard start < bytes.count, bytes[start] == "(" else { return nil }
        var end = start + 1
        while end < bytes.count, end < start + 6, bytes[end].isDigit { end += 1 }
        let digits = start + 1..<end
        guard (2...4).contains(digits.count), end < bytes.count,
            bytes[end] == ")"
        else { return nil }
        return digits
    }

    private static func startsElement(_ bytes: Span<UInt8>, at: Int, from start: Int) -> Bool {
        bracketedDigits(bytes, at: at) != nil && !(at > start && isEscape(bytes, at: at - 1))
    }

    private static func isEscape(_ bytes: Span<UInt8>, at: Int) -> Bool {
        bytes[at] == "\\" && at + 1 < bytes.count
            && bytes[at + 1] == "("
    }
}
