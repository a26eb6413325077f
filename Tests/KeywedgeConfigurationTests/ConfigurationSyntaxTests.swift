import KeywedgeConfiguration
import TestTexts
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
            "k.yaml:2: expected text without control characters, or their escapes in quotation marks, found \"\\x00\""
        ),
        (
            "barcodes: \u{1b}[2J",
            "k.yaml:1: expected text without control characters, or their escapes in quotation marks, found \"\\x1b\""
        ),
        (
            "%YAML 7.0\n---\n{}",
            "k.yaml:1: expected valid YAML, found a mistake: found incompatible YAML document"
        ),
    ])
    func aTextThatIsNoYAMLSaysWhere(text: String, sentence: String) {
        #expect(sentences(text) == [sentence])
    }

    @Test(arguments: [
        ("scanners:\n  - name: a\n    aim: true\n    'aim': maybe\n", 3, "\"aim\""),
        ("barcodes: {}\ncatalog: {\"deadline\": 1s, deadline: 2s}\n", 2, "\"deadline\""),
        ("{\"\": 1, \"\": 2}", 1, "\"\""),
        (String(repeating: "barcodes: {}\n", count: 1000), 1, "\"barcodes\""),
    ])
    func theFirstKeyThatStandsTwiceIsNamedWithItsLine(text: String, line: Int, key: String) {
        #expect(
            sentences(text) == [
                "k.yaml:\(line): expected each key once, found the key \(key) again further down"
            ])
    }

    @Test(arguments: [
        ("events: &a [{stdout: {}}]", "events", "the anchor \"&a\" or its alias"),
        (
            "barcodes: {region: !!binary DE}", "barcodes.region",
            "the tag \"tag:yaml.org,2002:binary\""
        ),
        ("barcodes: !code {}", "barcodes", "the tag \"!code\""),
        ("scanners: [{name: a, start: [!x none]}]", "scanners[0].start[0]", "the tag \"!x\""),
        (
            "scanners: [{name: a, control_names: !x none}]", "scanners[0].control_names",
            "the tag \"!x\""
        ),
    ])
    func anchorsAndTagsAreRefused(text: String, key: String, found: String) {
        let expected = "the value itself (anchors, aliases and tags are not read)"
        #expect(sentences(text) == ["k.yaml:1: \(key): expected \(expected), found \(found)"])
    }

    @Test func anAliasIsRefusedOnTheLineOfItsKey() {
        let text = "barcodes: {region: &a DE}\nregister: *a\n"
        let expected = "the value itself (anchors, aliases and tags are not read)"
        #expect(
            sentences(text) == [
                "k.yaml:1: barcodes.region: expected \(expected), found the anchor \"&a\" or its alias",
                "k.yaml:2: register: expected \(expected), found the anchor \"&a\" or its alias",
            ])
    }

    @Test(arguments: [
        ("events: *a", "*a"), ("? *a\n: 1", "*a"), ("barcodes: {\"region\":*a}", "*a"),
        ("scanners: [{name: a, match: {name: *zebra*}}]", "*zebra*"), ("register: *", "*"),
    ])
    func aTextThatStartsLikeAnAliasNeedsQuotationMarks(text: String, word: String) {
        let expected = "quotation marks around a text that starts with * (aliases are not read)"
        #expect(sentences(text) == ["k.yaml:1: expected \(expected), found \"\(word)\""])
    }

    /// Each level refers to the previous one ten times; an alias in a key would also have to be hashed.
    @Test(arguments: ["", "? *a30\n: 1\n", "{[*a30]: 1}: 1\n"])
    func aThousandMillionLaughsAreRefusedWithoutMakingThem(_ key: String) {
        let laughs = (1...30).map { level in
            "a\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ","))]\n"
        }
        let found = sentences("a0: &a0 [x]\n" + laughs.joined() + key)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("k.yaml:2: expected the value itself") == true)
        #expect(found.first?.hasSuffix("found the alias \"*a0\"") == true)
    }

    @Test func aFewLargeAliasesAreRefusedWithoutCopyingThem() {
        let names = Array(repeating: "x", count: 20_000).joined(separator: ",")
        let found = sentences("? &a [\(names)]\n: 1\n? [*a, *a]\n: 1\n? [*a, *a, 1]\n: 1\n")
        #expect(found.count == 3, "\(found)")
    }

    @Test(arguments: ["\"*\"", "'*'", "|-\n      *", "\"\\x2a\""])
    func anAsteriskThatIsNoAliasStays(_ text: String) throws {
        #expect(try scanner("prefix: \(text)")?.prefix == "*")
    }

    @Test func privateUseCharactersStayWhatTheyAre() throws {
        let text = "\"*\u{E07F}\\uE07e*\""
        #expect(
            try scanner("unicode_entry: true\n    prefix: \(text)")?.prefix == "*\u{E07F}\u{E07E}*")
    }

    @Test func keysInKeysAreRefusedWithoutHashingThem() {
        let list = "[" + String(repeating: "x,", count: 300_000)
        let text = String(repeating: "{? ", count: 400) + list
        #expect(sentences(text) == ["k.yaml:1: expected names as keys, found a key with ?"])
        #expect(sentences("? [a]\n: 1") == ["k.yaml:1: expected the name of a key, found a list"])
    }

    @Test func aFileOfAnotherKindReportsAThousandProblems() {
        let text = (0..<5000).map { "key\($0): 1\n" }.joined()
        #expect(sentences(text).count == 1000)
    }

    @Test func quotedTextsMayLookLikeAnchorsAndAliases() throws {
        let names = (0..<4).map { "{name: s\($0), prefix: \"*a\", suffix: '&a'}" }
        let text = "scanners: [\(names.joined(separator: ", "))]"
        #expect(try Configuration.parse(text: text, file: "k.yaml").scanners.count == 4)
    }

    @Test(arguments: ["[", "{a: ", "- "])
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
        var random = SplitMix(seed: 7)
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
