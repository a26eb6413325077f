import KeywedgeConfiguration
import Testing

@Suite struct ConfigurationSyntaxTests {
    @Test(arguments: [
        ("scanners:\n\t- name: a\n", "k.yaml:2: expected spaces in front of the text, found a tab"),
        (
            "scanners:\n  - name: a\n  \tmatch: {}\n",
            "k.yaml:3: expected spaces in front of the text, found a tab"
        ),
        (
            "\nbarcodes: {region: \"DE}\ncatalog: {}\n",
            "k.yaml:2: expected a closing quotation mark, found none up to the end of the file"
        ),
        (
            "barcodes: {region: 'DE}\n",
            "k.yaml:1: expected a closing quotation mark, found none up to the end of the file"
        ),
        (
            "barcodes: {region: DE\n",
            "k.yaml:1: expected valid YAML, found a mistake: did not find expected ',' or '}' while parsing a flow mapping"
        ),
        (
            "a: b: c",
            "k.yaml:1: expected valid YAML, found a mistake: mapping values are not allowed in this context"
        ),
        (
            "scanners:\n- name: a\nbarcodes\n",
            "k.yaml:3: expected valid YAML, found a mistake: could not find expected ':' while scanning a simple key"
        ),
        (
            "barcodes: {}\n---\ncatalog: {}\n",
            "k.yaml:2: expected one YAML document, found a second one"
        ),
        (
            "barcodes: {}\n# \u{0}\n",
            "k.yaml:2: expected text without control characters (in quotation marks, \"\\x00\"), found the character U+0000"
        ),
        (
            "barcodes: \u{1b}[2J",
            "k.yaml:1: expected text without control characters (in quotation marks, \"\\x1b\"), found the character U+001B"
        ),
        (
            "%YAML 7.0\n---\n{}",
            "k.yaml:1: expected valid YAML, found a mistake: found incompatible YAML document"
        ),
    ])
    func aTextThatIsNoYAMLSaysWhere(text: String, sentence: String) {
        #expect(sentences(text) == [sentence])
    }

    @Test func aKeyThatStandsTwiceSaysBothLinesAndHidesNothingElse() {
        let text = """
            barcodes: {region: DE}
            scanners:
              - name: a
                aim: maybe
                'aim': true
                length:
                  "min": 1
                  min: 2
            barcodes: {region: SE}
            catalog: {deadline: 1s, deadline: 2s, deadline: 3s}
            """
        #expect(
            sentences(text) == [
                "k.yaml:4: scanners[0].aim: expected true or false, found \"maybe\"",
                "k.yaml:5: scanners[0].aim: expected each key once, found it again after line 4",
                "k.yaml:8: scanners[0].length.min: expected each key once, found it again after line 7",
                "k.yaml:9: barcodes: expected each key once, found it again after line 1",
                "k.yaml:10: catalog.deadline: expected each key once, found it again after line 10",
                "k.yaml:10: catalog.deadline: expected each key once, found it again after line 10",
            ])
    }

    @Test func anEmptyKeyThatStandsTwiceIsNamedToo() {
        #expect(
            sentences("{\"\": 1, \"\": 2}") == [
                "k.yaml:1: expected each key once, found the key \"\" again further down"
            ])
    }

    @Test func veryManyDuplicatesAreNotAllCounted() {
        let text = String(repeating: "barcodes: {}\n", count: 1000)
        #expect(
            sentences(text) == [
                "k.yaml: expected each key once, found more than 31 keys that stand twice"
            ])
    }

    @Test(arguments: [
        (
            "events: &a [{stdout: {}}]",
            "k.yaml:1: events: expected the value itself (anchors, aliases and tags are not read), found the anchor \"&a\""
        ),
        (
            "events: *a",
            "k.yaml:1: events: expected the value itself (anchors and aliases are not read), found the alias \"*a\""
        ),
        (
            "? *a\n: 1",
            "k.yaml:1: expected the value itself (anchors and aliases are not read), found the alias \"*a\""
        ),
        (
            "barcodes: {\"region\":*a}",
            "k.yaml:1: barcodes.region: expected the value itself (anchors and aliases are not read), found the alias \"*a\""
        ),
        (
            "barcodes: {region: !!binary DE}",
            "k.yaml:1: barcodes.region: expected the value itself (anchors, aliases and tags are not read), found the tag \"tag:yaml.org,2002:binary\""
        ),
        (
            "barcodes: !code {}",
            "k.yaml:1: barcodes: expected the value itself (anchors, aliases and tags are not read), found the tag \"!code\""
        ),
    ])
    func anchorsAliasesAndTagsAreRefused(text: String, sentence: String) {
        #expect(sentences(text) == [sentence])
    }

    @Test func aThousandMillionLaughsAreRefusedWithoutMakingThem() {
        let laughs = (1...30).map { level in
            "a\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ","))]\n"
        }
        let text = "a0: &a0 [x]\n" + laughs.joined() + "? *a30\n: 1\n"
        #expect(sentences(text).count == 32)
    }

    @Test(arguments: ["\"*\"", "'*'", "|-\n      *", "\"\\x2a\""])
    func anAsteriskThatIsNoAliasStays(_ text: String) throws {
        #expect(try scanner("prefix: \(text)")?.prefix == "*")
    }

    @Test func privateUseCharactersStayWhatTheyAre() throws {
        let text = "\"*\u{E07F}\\uE07e*\""
        #expect(
            try scanner("unicode_entry: true\n    prefix: \(text)")?.prefix == "*\u{E07F}\u{E07E}*")
        let all = String(
            String.UnicodeScalarView((0xE000...0xE07F).compactMap(Unicode.Scalar.init)))
        #expect(
            scannerSentences("prefix: \(all)") == [
                "k.yaml: expected fewer private-use characters, found all from U+E000 to U+E07F"
            ])
    }

    @Test(arguments: ["[", "{a: ", "- ", "? "])
    func deepNestingIsAnError(_ opening: String) {
        let text = String(repeating: opening, count: 100_000)
        #expect(sentences(text).map { $0.contains("Maximum nesting level reached") } == [true])
    }

    @Test func nestingAsDeepAsItGoesIsOnlyAWrongValue() {
        let depth = 900
        let text =
            "barcodes: " + String(repeating: "[", count: depth)
            + String(repeating: "]", count: depth)
        #expect(
            sentences(text) == [
                "k.yaml:1: barcodes: expected a mapping with the keys region, in_store, eight_digits, found a list"
            ])
    }

    @Test func noChangeToAFileCrashesOrGoesUnexplained() {
        let alphabet = Array("\t\n :,-[]{}?&*!|>'\"%@#\\~aé\u{E07F}\u{0}.0".unicodeScalars)
        var random = SeededNumbers(state: 7)
        for _ in 0..<500 {
            var scalars = Array(ConfigurationTests.everything.unicodeScalars)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<scalars.count, using: &random)
                let other = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
                if Bool.random(using: &random) {
                    scalars[place] = other
                } else {
                    scalars.insert(other, at: place)
                }
            }
            let text = String(String.UnicodeScalarView(scalars))
            for sentence in sentences(text) {
                #expect(sentence.hasPrefix("k.yaml") && sentence.contains(": expected "))
                #expect(!sentence.contains { $0.isNewline || $0 == "\0" })
            }
        }
    }
}

/// Numbers that are the same in every run (a linear congruential generator; Knuth's MMIX constants).
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
