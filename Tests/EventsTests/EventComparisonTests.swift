import Events
import TestTexts
import Testing
import WireText

@Suite struct EventComparisonTests {
    /// Compares lines with expected ones, and returns the differences.
    private func compared(
        _ produced: [String], with expected: [String]
    ) throws -> (EventComparison, [String]) {
        try withContents(Array(expected.joined(separator: "\n").utf8)) { descriptor in
            var comparison = EventComparison(
                expected: DescriptorLines(descriptor: descriptor, name: "expected"))
            var differences: [String] = []
            for line in produced { differences += try comparison.add(Array(line.utf8)) }
            differences += try comparison.finish()
            #expect(comparison.differenceCount == differences.count)
            return (comparison, differences)
        }
    }

    private func differences(_ expected: [String], _ produced: [String]) throws -> [String] {
        try compared(produced, with: expected).1
    }

    private func event(_ text: String, _ sequence: UInt64, gtin: JSONValue = .null) -> String {
        let event = Samples.event(
            id: "id-\(text)", sequence: sequence,
            data: ["scanner": ["name": "counter"], "text": .string(text), "gtin": gtin])
        return String(Samples.line(of: event, EventFormatter(.json)).dropLast())
    }

    @Test func equalLinesGiveNothing() throws {
        let lines = (0..<100).map { event("\($0)", $0) }
        #expect(try differences(lines, lines) == [])
        #expect(try differences([], []) == [])
    }

    @Test func blankLinesAreSkippedAndCounted() throws {
        let expected = ["", event("a", 1), " \t\r", event("b", 2), ""]
        #expect(try differences(expected, [event("a", 1), event("b", 2)]) == [])
        #expect(
            try differences(expected, [event("a", 1)])
                == [#"line 4: missing: keywedge.scan "b" of counter"#])
    }

    @Test func changedFieldsAreNamedOnTheirLine() throws {
        let expected = [event("a", 1), event("b", 2, gtin: "04006381333931")]
        #expect(
            try differences(expected, [event("a", 1), event("b", 2)]) == [
                """
                line 2: keywedge.scan "b" of counter differs
                  data.gtin: expected "04006381333931", found null
                """
            ])
    }

    @Test func anEventThatResemblesALaterOneDoesNotMakeTheOnesBetweenDiffer() throws {
        // The product of line 14 is scanned an additional time after line 4.
        let all = (0..<30).map { event("\($0 == 13 ? 100 : $0)", UInt64($0)) }
        let surplus = event("100", 77, gtin: "04006381333931").replacing("id-100", with: "id-new")
        let found = try differences(all, Array(all[..<4]) + [surplus] + Array(all[4...]))
        #expect(found.count == 1 && found[0].hasPrefix("surplus: "), "\(found)")
    }

    @Test func aMissingEventDoesNotMakeAllLaterOnesDiffer() throws {
        let all = (0..<40).map { event("\($0)", 7) }
        #expect(
            try differences(all, Array(all[..<5] + all[8...])) == [
                #"line 6: missing: keywedge.scan "5" of counter"#,
                #"line 7: missing: keywedge.scan "6" of counter"#,
                #"line 8: missing: keywedge.scan "7" of counter"#,
            ])
    }

    @Test func aSurplusEventDoesNotMakeAllLaterOnesDiffer() throws {
        let all = (0..<40).map { event("\($0)", 7) }
        #expect(
            try differences(Array(all[..<5] + all[6...]), all)
                == [#"surplus: keywedge.scan "5" of counter (line 6 of the output)"#])
        #expect(
            try differences(Array(all[..<38]), all) == [
                #"surplus: keywedge.scan "38" of counter (line 39 of the output)"#,
                #"surplus: keywedge.scan "39" of counter (line 40 of the output)"#,
            ])
    }

    @Test func anotherSourceMayUseTheSameID() throws {
        let other = event("x", 1).replacing("id-x", with: "id-a")
            .replacing("register-3", with: "register-4")
        #expect(
            try differences([event("a", 1), event("b", 2)], [other, event("a", 1), event("b", 2)])
                == [#"surplus: keywedge.scan "x" of counter (line 1 of the output)"#])
    }

    @Test func anEventInPlaceOfAnotherIsAChange() throws {
        let expected = [event("a", 1), event("b", 1), event("c", 1)]
        #expect(
            try differences(expected, [event("a", 1), event("x", 1), event("c", 1)]) == [
                """
                line 2: keywedge.scan "b" of counter differs
                  id: expected "id-b", found "id-x"
                  data.text: expected "b", found "x"
                """
            ])
    }

    @Test func sameFieldsInOtherWordsAreNamedAsSuch() throws {
        let line = event("a", 1)
        let spaced = line.replacing(#","source""#, with: #", "source""#)
        #expect(
            try differences([spaced], [line]) == [
                #"line 1: keywedge.scan "a" of counter has the same fields, written differently "#
                    + "from byte 33 on"
            ])
    }

    @Test func anExpectedLineThatIsNoEventIsNamed() throws {
        let expected = [event("a", 1), "# comment", event("b", 2), "{\"a\":"]
        #expect(
            try differences(expected, [event("a", 1), event("b", 2)]) == [
                "line 2: the expected line is not an event: expected a value, found '#', at byte 0",
                "line 4: the expected line is not an event: expected a value, found the end, at byte 5",
            ])
    }

    @Test func nothingExpectedOrNothingProduced() throws {
        #expect(
            try differences([], [event("a", 1)])
                == [#"surplus: keywedge.scan "a" of counter (line 1 of the output)"#])
        #expect(
            try differences([event("a", 1)], [])
                == [#"line 1: missing: keywedge.scan "a" of counter"#])
        #expect(
            try differences(["7"], ["\u{1b}"]) == [
                """
                line 1: an event without a type differs
                  the line: expected 7, found "\\u001b"
                """
            ])
    }

    @Test func everythingShownIsEscaped() throws {
        let bad = event("\u{1b}\u{202e}", 1, gtin: "\u{9b}")
        let raw = "{\"type\":\"\u{9b}\",\"data\":{\"\u{2028}\":\"\u{7f}\"}}"
        for (expected, produced) in [([bad], []), ([], [raw]), ([raw], [bad]), ([bad], [raw])] {
            for text in try differences(expected, produced) {
                #expect(
                    !text.unicodeScalars.contains { HostileTexts.isForbidden($0) && $0 != "\n" })
            }
        }
    }

    @Test func whateverIsLeftOutEveryLineIsAccountedFor() throws {
        var random = SplitMix(seed: 42)
        for _ in 0..<40 {
            let all = (0..<60).map { event("\($0 % 7)", $0) }
            let expected = all.filter { _ in Int.random(in: 0..<10, using: &random) > 0 }
            let produced = all.filter { _ in Int.random(in: 0..<10, using: &random) > 0 }
            let (comparison, differences) = try compared(produced, with: expected)
            let missing = differences.count { $0.contains(": missing: ") }
            let surplus = differences.count { $0.hasPrefix("surplus: ") }
            let paired = differences.count - missing - surplus
            #expect(comparison.equalCount + paired + missing == expected.count)
            #expect(comparison.equalCount + paired + surplus == produced.count)
        }
    }
}
