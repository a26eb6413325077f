extension ElementStringReader {
    /// Checks what must, and what must not, come together.
    ///
    /// What is required may stand on another symbol of the same item; hence it is a warning.
    mutating func checkTogether() {
        for index in elements.indices {
            checkRepetition(index)
            checkRules(index)
        }
        checkSignature()
    }

    /// A digital signature (8030) is of one item: a key that may lack its serial component needs it.
    ///
    /// Rule: GS1's Barcode Syntax Engine, which holds (253), (255) and (8003) to it.
    private mutating func checkSignature() {
        guard has(8030...8030) else { return }
        for element in elements
        where [2530, 2550, 8003].contains(element.applicationIdentifier.key) {
            let shortest = element.applicationIdentifier.spec.least
            if element.value.utf8.count == shortest { problems.append(.missingSerial(element)) }
        }
    }

    private mutating func checkRepetition(_ index: Int) {
        let element = elements[index]
        let ai = element.applicationIdentifier
        for earlier in elements[..<index] where earlier.applicationIdentifier == ai {
            if earlier.value != element.value {
                problems.append(.repeatedAIDiffers(ai, earlier.value, element))
            }
            return
        }
    }

    /// The table holds: a count and that many spans of keys for what excludes the identifier; then
    /// a count, and for each requirement a count of alternatives, for each of them a count and
    /// that many spans that must all be there.
    private mutating func checkRules(_ index: Int) {
        let element = elements[index]
        for span in Self.exclusions(of: element.applicationIdentifier) {
            if let other = excluded(by: index, span) {
                problems.append(.exclusivePair(element, other))
            }
        }
        var at = element.applicationIdentifier.spec.rules
        at += 1 + 2 * Int(ApplicationIdentifierTable.rules[at])
        for _ in 0..<Self.next(&at) {
            let start = at
            var isMet = false
            for _ in 0..<Self.next(&at) {
                var hasAll = true
                for _ in 0..<Self.next(&at) where !has(Self.nextSpan(&at)) { hasAll = false }
                isMet = isMet || hasAll
            }
            if !isMet { problems.append(.requisiteMissing(element, rule: start)) }
        }
    }

    /// What excludes an identifier: what the table says, and those that differ in the last digit
    /// alone, which tells the decimals of one measure or amount.
    private static func exclusions(of ai: ApplicationIdentifier) -> [ClosedRange<UInt16>] {
        let spec = ai.spec
        var at = spec.rules
        let isOneOfSeveral = spec.length == 4 && spec.isOneOfSeveral
        let first = ai.key / 10 * 10
        let spans = (0..<next(&at)).map { _ in nextSpan(&at) }
        return isOneOfSeveral ? spans + [first...first + 9] : spans
    }

    /// An element that must not come with one; each pair is reported once.
    private func excluded(by index: Int, _ span: ClosedRange<UInt16>) -> GS1Element? {
        let ai = elements[index].applicationIdentifier
        guard
            let other = elements.firstIndex(where: {
                $0.applicationIdentifier != ai && span.contains($0.applicationIdentifier.key)
            })
        else { return nil }
        let isReported =
            other < index
            && Self.exclusions(of: elements[other].applicationIdentifier).contains {
                $0.contains(ai.key)
            }
        return isReported ? nil : elements[other]
    }

    private func has(_ span: ClosedRange<UInt16>) -> Bool {
        for element in elements where span.contains(element.applicationIdentifier.key) {
            return true
        }
        return false
    }

    @inline(__always)
    static func next(_ at: inout Int) -> Int {
        defer { at += 1 }
        return Int(ApplicationIdentifierTable.rules[at])
    }

    @inline(__always)
    static func nextSpan(_ at: inout Int) -> ClosedRange<UInt16> {
        defer { at += 2 }
        let low = ApplicationIdentifierTable.rules[at]
        return low...max(low, ApplicationIdentifierTable.rules[at + 1])
    }

    /// A requirement in the dictionary's notation, for instance `(01)+(21), (02) or (35nn)`.
    static func requirement(at rule: Int) -> String {
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
