extension ElementStringReader {
    /// What a value breaks of its identifier's format; nothing is allocated where it breaks
    /// nothing.
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
            let component = GS1Component(packed: ApplicationIdentifierTable.components[index])
            let count = min(component.most, value.count - at)
            if count == 0, component.isOptional { break }
            guard count >= component.least else {
                found.append(
                    lengthViolation(count, component.least, component.most, from: at))
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
        if let violation = component.characterRule.characterViolation(in: part) {
            found.append(violation.moved(by: start))
            return
        }
        var rules = component.rules
        while rules != 0 {
            if let rule = ContentRule(rawValue: UInt8(rules & 0x3F)),
                let violation = rule.violation(in: part)
            {
                found.append(violation.moved(by: start))
            }
            rules >>= 6
        }
    }

    private static func lengthViolation(
        _ count: Int, _ least: Int, _ most: Int, from start: Int
    ) -> ContentRule.Violation {
        let least = max(1, least)
        return ContentRule.Violation(
            .wrongLength, start..<start + count,
            least == most ? "\(most) characters" : "\(least) to \(most) characters")
    }
}

extension ContentRule.Violation {
    /// The violation, counted from the start of the value instead of the component.
    func moved(by offset: Int) -> ContentRule.Violation {
        ContentRule.Violation(
            code, range.lowerBound + offset..<range.upperBound + offset, expected)
    }
}
