extension ElementStringReader {
    /// Reports elements that conflict with each other or require a missing element.
    mutating func checkTogether() {
        for index in elements.indices {
            checkRepetition(index)
            checkRules(index)
        }
        checkSignature()
    }

    /// Reports keys (253), (255) and (8003) without the serial component that a digital signature (8030) requires.
    ///
    /// Rule: GS1's Barcode Syntax Engine.
    private mutating func checkSignature() {
        guard has(8030...8030) else { return }
        for element in elements
        where [2530, 2550, 8003].contains(element.applicationIdentifier.key) {
            let shortest = element.applicationIdentifier.spec.least
            guard element.value.utf8.count == shortest else { continue }
            problems.append(
                Problem(
                    .error, .missingSerial,
                    "\"\(element.value)\" in (\(element.ai)) has no serial component",
                    expected: "one beside (8030)", got: "none", at: element.source))
        }
    }

    private mutating func checkRepetition(_ index: Int) {
        let element = elements[index]
        let ai = element.applicationIdentifier
        let first = elements[..<index].first { $0.applicationIdentifier == ai }
        if let first, first.value != element.value {
            problems.append(
                Problem(
                    .error, .repeatedAIDiffers, "(\(ai)) comes twice",
                    expected: "\"\(first.value)\" again", got: "\"\(element.value)\"",
                    at: element.source))
        }
    }

    /// Checks an element against the rules of its identifier in `ApplicationIdentifierTable.rules`.
    ///
    /// The rules are stored as numbers: a list of excluded spans of keys, and then a list of requirements. Every list
    /// begins with its length. A requirement is a list of alternatives, at least one of which must be met. An
    /// alternative is a list of spans; it is met if every span contains the key of an element in the code.
    ///
    /// A span is stored as one number: its first key, plus 0 if it contains one key, 10,000 if it contains ten, or
    /// 20,000 if it contains a hundred.
    private mutating func checkRules(_ index: Int) {
        let element = elements[index]
        let spec = element.applicationIdentifier.spec
        var at = spec.rules
        for _ in 0..<Self.next(&at) { checkExclusion(of: index, Self.nextSpan(&at)) }
        if let family = Self.family(of: element.applicationIdentifier) {
            checkExclusion(of: index, family)
        }
        for _ in 0..<Self.next(&at) {
            let start = at
            var isMet = false
            for _ in 0..<Self.next(&at) {
                var hasAll = true
                for _ in 0..<Self.next(&at) where !has(Self.nextSpan(&at)) { hasAll = false }
                isMet = isMet || hasAll
            }
            if isMet { continue }
            problems.append(
                Problem(
                    .warning, .requisiteMissing, "(\(element.ai)) does not stand alone",
                    expected: Self.requirement(at: start) + " on the same item",
                    got: "none in this symbol", at: element.source))
        }
    }

    /// Returns the keys that differ from `ai` only in the decimals digit, such as 3100 to 3109; nil if `ai` has none.
    private static func family(of ai: ApplicationIdentifier) -> ClosedRange<UInt16>? {
        guard ai.spec.isOneOfSeveral, ai.length == 4 else { return nil }
        return ai.key / 10 * 10...ai.key / 10 * 10 + 9
    }

    /// Reports the code's first other AI whose key is in `span`, because the two exclude each other, once per pair.
    private mutating func checkExclusion(of index: Int, _ span: ClosedRange<UInt16>) {
        let ai = elements[index].applicationIdentifier
        let found = elements.firstIndex {
            $0.applicationIdentifier != ai && span.contains($0.applicationIdentifier.key)
        }
        guard let found else { return }
        if found < index, Self.excludes(elements[found].applicationIdentifier, ai.key) { return }
        problems.append(
            Problem(
                .error, .exclusivePair, "(\(ai)) and (\(elements[found].ai)) exclude each other",
                expected: "one of them", got: "both", at: elements[index].source))
    }

    private static func excludes(_ ai: ApplicationIdentifier, _ key: UInt16) -> Bool {
        var at = ai.spec.rules
        let isListed = (0..<next(&at)).contains { _ in nextSpan(&at).contains(key) }
        return isListed || family(of: ai)?.contains(key) ?? false
    }

    private func has(_ span: ClosedRange<UInt16>) -> Bool {
        elements.contains { span.contains($0.applicationIdentifier.key) }
    }

    @inline(__always)
    static func next(_ at: inout Int) -> Int {
        defer { at += 1 }
        return Int(ApplicationIdentifierTable.rules[at])
    }

    @inline(__always)
    static func nextSpan(_ at: inout Int) -> ClosedRange<UInt16> {
        let (kind, first) = next(&at).quotientAndRemainder(dividingBy: 10_000)
        return UInt16(first)...UInt16(first + [0, 9, 99][kind])
    }

    /// Formats a requirement for a message, for instance `(01)+(21), (02) or (35nn)`.
    private static func requirement(at rule: Int) -> String {
        var at = rule
        let alternatives = (0..<next(&at)).map { _ in
            (0..<next(&at)).map { _ in "(" + pattern(nextSpan(&at)) + ")" }.joined(separator: "+")
        }
        guard let last = alternatives.last, alternatives.count > 1 else {
            return alternatives.joined()
        }
        return alternatives.dropLast().joined(separator: ", ") + " or " + last
    }

    private static func pattern(_ span: ClosedRange<UInt16>) -> String {
        let low = GTIN.digits(of: UInt64(span.lowerBound), count: 4)
        let high = GTIN.digits(of: UInt64(span.upperBound), count: 4)
        let length = ApplicationIdentifier.length(at: Int(span.lowerBound))
        return String(zip(low, high).map { $0 == $1 ? $0 : "n" }.prefix(length))
    }
}
