/// Reads GS1 element strings and collects what is wrong with them.
///
/// Offsets are those of bytes; the decoder turns them into characters at the end.
///
/// Rule: GS1 General Specifications, section 7.8; the formats are GS1's Barcode Syntax
/// Dictionary's.
struct ElementStringReader {
    /// FNC1 as scanners send it between element strings.
    static let separator: UInt8 = 0x1D

    private(set) var elements: [GS1Element] = []
    var problems: [Problem] = []

    /// Reads what a scanner sent: identifiers and values, with separators in between.
    ///
    /// One separator after a value of predefined length is superfluous but allowed, as is one at
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

    private mutating func readElement(_ bytes: Span<UInt8>, at: Int) -> Int {
        guard let ai = ApplicationIdentifier.lookup(in: bytes, at: at) else {
            return skipUnknown(bytes, at: at)
        }
        let start = at + ai.length
        let spec = ai.spec
        var limit = bytes.count
        if spec.isPredefined { limit = min(limit, start + spec.most) }
        var end = start
        while end < limit, bytes[end] != Self.separator { end += 1 }
        append(ai, bytes, start..<end)
        if !spec.isPredefined { suspectMissingSeparator(ai, bytes, start..<end) }
        return end
    }

    /// Reports digits that are no identifier and returns where to continue: after the value if its
    /// first two digits predefine its length, else at the next separator.
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
    private static func predefinedLength(_ bytes: Span<UInt8>, at: Int) -> Int? {
        guard at + 2 <= bytes.count, let prefix = bytes.extracting(at..<at + 2).number else {
            return nil
        }
        return switch prefix {
        case 0: 2 + 18
        case 1...3: 2 + 14
        case 4: 2 + 16
        case 11...19: 2 + 6
        case 20: 2 + 2
        case 31...36: 4 + 6
        case 41: 3 + 13
        default: nil
        }
    }

    mutating func append(
        _ ai: ApplicationIdentifier, _ bytes: Span<UInt8>, _ range: Range<Int>
    ) {
        if elements.isEmpty { elements.reserveCapacity(8) }
        let violations = Self.violations(of: ai, in: bytes.extracting(range))
        elements.append(
            GS1Element(ai, bytes.string(range), source: range, isSound: violations.isEmpty))
        for violation in violations {
            let start = range.lowerBound + violation.range.lowerBound
            let span = start..<bytes.scalarEnd(start + violation.range.count)
            problems.append(
                .violation(violation, ai, bytes.string(range), bytes.string(span), span))
        }
    }

    mutating func append(_ ai: ApplicationIdentifier, decoded value: String, source: Range<Int>) {
        let bytes = value.utf8.span
        let violations = Self.violations(of: ai, in: bytes)
        elements.append(GS1Element(ai, value, source: source, isSound: violations.isEmpty))
        for violation in violations {
            let found = bytes.string(violation.range)
            problems.append(.violation(violation, ai, value, found, source))
        }
    }
}

extension ElementStringReader {
    /// What a value breaks of its identifier's format; nothing is allocated if it breaks nothing.
    static func violations(
        of ai: ApplicationIdentifier, in value: Span<UInt8>
    ) -> [ContentRule.Violation] {
        let spec = ai.spec
        guard value.count >= max(1, spec.least), value.count <= spec.most else {
            return [lengthViolation(value.count, spec.least, spec.most, from: 0)]
        }
        var found: [ContentRule.Violation] = []
        var at = 0
        for index in spec.components {
            let component = ApplicationIdentifierTable.components[index]
            let count = min(component.most, value.count - at)
            if count == 0, component.isOptional { break }
            guard count >= component.least else {
                found.append(lengthViolation(count, component.least, component.most, from: at))
                break
            }
            check(component, value.extracting(at..<at + count), from: at, &found)
            at += count
        }
        return found
    }

    /// Checks a component: its characters, and if these are right, its content.
    @inline(__always)
    private static func check(
        _ component: GS1Component, _ part: Span<UInt8>, from start: Int,
        _ found: inout [ContentRule.Violation]
    ) {
        if let violation = component.characters.characterViolation(in: part) {
            found.append(violation.moved(by: start))
            return
        }
        var rules = (component.first, component.second, component.third)
        while let rule = rules.0 {
            if let violation = rule.violation(in: part) {
                found.append(violation.moved(by: start))
            }
            rules = (rules.1, rules.2, nil)
        }
    }

    private static func lengthViolation(
        _ count: Int, _ least: Int, _ most: Int, from start: Int
    ) -> ContentRule.Violation {
        let expected = least == most ? "\(most)" : "\(max(1, least)) to \(most)"
        return .init(start..<start + count, "\(expected) characters", .wrongLength)
    }
}

/// The form that people read: identifiers in brackets, values in between.
extension ElementStringReader {
    /// Reads such a text.
    ///
    /// A bracket that does not enclose two to four digits belongs to the value, as does one with a
    /// backslash ahead of it.
    mutating func readBracketed(_ bytes: Span<UInt8>) {
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
        guard start < bytes.count, bytes[start] == UInt8(ascii: "(") else { return nil }
        var end = start + 1
        while end < bytes.count, end < start + 6, bytes[end].isDigit { end += 1 }
        let digits = start + 1..<end
        guard (2...4).contains(digits.count), end < bytes.count,
            bytes[end] == UInt8(ascii: ")")
        else { return nil }
        return digits
    }

    private static func startsElement(_ bytes: Span<UInt8>, at: Int, from start: Int) -> Bool {
        bracketedDigits(bytes, at: at) != nil && !(at > start && isEscape(bytes, at: at - 1))
    }

    /// Whether the byte is a backslash that takes a bracket's meaning away.
    private static func isEscape(_ bytes: Span<UInt8>, at: Int) -> Bool {
        bytes[at] == UInt8(ascii: "\\") && at + 1 < bytes.count
            && bytes[at + 1] == UInt8(ascii: "(")
    }
}
