import KeyLayouts
import Keystrokes
import Testing

@Suite struct KeyLayoutCompilerTests {
    @Test func theBuiltInTableEqualsXKBsOnEveryKeyItCovers() throws {
        let compiled = try CompiledLayout(KeyLayout("us")).table
        let covered = KeyTable.us.keys.filter { key in
            KeyLevel.all.contains { KeyTable.us[key, $0] != .unknown }
        }
        #expect(covered.count == 82)
        for key in covered {
            for level in KeyLevel.all {
                #expect(
                    compiled[key, level] == KeyTable.us[key, level],
                    "\(key) at level \(level.rawValue)")
            }
        }
    }

    @Test func germanSwapsLettersAndHasAltGr() throws {
        let german = try CompiledLayout(KeyLayout("de")).table
        #expect(german[.y, []] == .character("z"))
        #expect(german[.z, .shift] == .character("Y"))
        #expect(german[.minus, []] == .character("ß"))
        #expect(german[.digit9, .altGr] == .character("]"))
        #expect(german[.q, .altGr] == .character("@"))
        #expect(german[.rightalt, []] == .modifier(.altGr))
        #expect(german[.rightalt, [.shift, .caps]] == .modifier(.altGr))
        #expect(german[.leftalt, []] == .modifier(.alt))
        #expect(german[.capslock, .shift] == .capsLock)
        #expect(german[.numlock, []] == .ignored)
        #expect(german[.kpdot, []] == .character(","))
        #expect(german[.iso102nd, .altGr] == .character("|"))
        #expect(german[.f8, []] == .unknown)
        #expect(german[.up, []] == .unknown)
    }

    @Test func frenchHasItsDigitsOnShiftAndCzechToo() throws {
        let digits: [KeyCode] = [
            .digit1, .digit2, .digit3, .digit4, .digit5, .digit6, .digit7, .digit8, .digit9,
            .digit0,
        ]
        for (name, plain) in [("fr", "&é\"'(-è_çà"), ("cz", "+ěščřžýáíé")] {
            let table = try CompiledLayout(KeyLayout(name)).table
            #expect(digits.map { table[$0, []] } == plain.unicodeScalars.map { .character($0) })
            #expect(
                digits.map { table[$0, .shift] }
                    == "1234567890".unicodeScalars.map { .character($0) })
            #expect(
                digits.map { table[KeyCode.keypad($0), []] }
                    == "1234567890".unicodeScalars.map { .character($0) })
        }
    }

    @Test func capsLockIsALetterLockOrAShiftLockDependingOnTheLayout() throws {
        let german = try CompiledLayout(KeyLayout("de")).table
        #expect(german[.leftbrace, .caps] == .character("Ü"))
        #expect(german[.leftbrace, [.caps, .shift]] == .character("ü"))
        #expect(german[.digit1, .caps] == .character("1"))
        #expect(german[.minus, .caps] == .character("ẞ"))
        let french = try CompiledLayout(KeyLayout("fr")).table
        #expect(french[.digit2, .caps] == .character("É"))
        #expect(french[.digit2, [.caps, .shift]] == .character("2"))
        let swiss = try CompiledLayout(KeyLayout("ch")).table
        #expect(swiss[.leftbrace, .caps] == .character("Ü"))
        #expect(swiss[.leftbrace, .shift] == .character("è"))
    }

    @Test func neoHasItsLevelChoosersWhereItPutsThem() throws {
        let neo = try CompiledLayout(KeyLayout("de:neo")).table
        #expect(neo[.capslock, []] == .modifier(.altGr))
        #expect(neo[.rightalt, []] == .modifier(.level5))
        #expect(neo[.rightshift, .shift] == .capsLock)
        #expect(neo[.s, .altGr] == .character("\\") || neo[.a, .altGr] == .character("\\"))
        #expect(neo[.j, .level5] == .character("4"))
    }

    @Test func lettersOfOtherScriptsNeedNoSecondGroup() throws {
        let russian = try CompiledLayout(KeyLayout("ru")).table
        #expect(russian[.q, []] == .character("й"))
        #expect(russian[.q, .caps] == .character("Й"))
        let greek = try CompiledLayout(KeyLayout("gr")).table
        #expect(greek[.a, []] == .character("α"))
        let hebrew = try CompiledLayout(KeyLayout("il")).table
        #expect(hebrew[.t, []] == .character("א"))
    }

    @Test(arguments: ["de", "fr", "it", "es", "cz", "ru", "gr", "il", "jp", "us:dvorak", "tr:f"])
    func controlGivesTheSeparatorsOfGS1OnEveryLayout(_ name: String) throws {
        let table = try CompiledLayout(KeyLayout(name)).table
        let typist = Typist(table: table)
        for character in ["\u{1C}", "\u{1D}", "\u{1E}", "\u{1F}", "\u{4}"] as [Unicode.Scalar] {
            let keystroke = try #require(typist.keystroke(for: character))
            #expect(table[keystroke.key, keystroke.level] == .character(character))
            #expect(keystroke.level.contains(.control))
        }
    }

    @Test func controlOnAUSKeyHelpsOnlyIfNoKeyGivesTheCharacter() throws {
        let german = try CompiledLayout(KeyLayout("de")).table
        #expect(german[.rightbrace, []] == .character("+"))
        #expect(german[.rightbrace, .control] == .character("\u{1D}"))
        #expect(german[.leftbrace, .control] == .character("\u{1B}"))
        #expect(german[.y, .control] == .character("\u{1A}"))
        #expect(german[.digit1, .control] == .unknown)
        let dvorak = try CompiledLayout(KeyLayout("us:dvorak")).table
        #expect(dvorak[.equal, .control] == .character("\u{1D}"))
        #expect(dvorak[.rightbrace, .control] == .unknown)
        let french = try CompiledLayout(KeyLayout("fr")).table
        #expect(french[.m, []] == .character(","))
        #expect(french[.m, .control] == .unknown)
        let russian = try CompiledLayout(KeyLayout("ru")).table
        #expect(russian[.c, .control] == .character("\u{3}"))
        #expect(russian[.rightbrace, .control] == .character("\u{1D}"))
    }

    @Test func theKeypadTypesItsCharactersWhateverNumLockSays() throws {
        let swiss = try CompiledLayout(KeyLayout("ch")).table
        for level in [[], .num, .shift, [.shift, .num], .caps] as [KeyLevel] {
            #expect(swiss[.kp7, level] == .character("7"))
        }
        #expect(swiss[.kp7, .control] == .unknown)
        #expect(swiss[.kpenter, .shift] == .character("\r"))
    }

    /// Each task has its own compiler; the layouts and the suspicion are passed from one task to another.
    @Test func severalThreadsCompileAtOnceAndHandOverTheirLayouts() async throws {
        let names = ["us", "de", "fr", "cz", "ru", "lv:apostrophe"]
        let compiled = try await withThrowingTaskGroup(of: [CompiledLayout].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let compiler = try KeyLayoutCompiler()
                    return try names.map { try compiler.compile(KeyLayout($0)) }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(compiled == Array(repeating: names.map(Compiled.layout), count: 4))
        let suspicion = await Task.detached {
            var suspicion = LayoutSuspicion(configured: compiled[0][1])
            for candidate in compiled[1] { suspicion.add(candidate) }
            return suspicion
        }.value
        #expect(suspicion.finding(in: "+E04006381333931")?.layouts.first == .us)
    }

    @Test func anUnknownNameNamesTheNearestOnes() throws {
        let cases: [(String, KeyLayoutError, String)] = [
            (
                "dee", .unknownLayout("dee", nearest: ["de", "ee"]),
                "there is no layout \"dee\"; the nearest are \"de\" and \"ee\""
            ),
            (
                "de:nodeadkey",
                .unknownVariant(
                    "nodeadkey", of: "de",
                    nearest: ["nodeadkeys", "ro_nodeadkeys", "mac_nodeadkeys"]),
                "layout \"de\" has no variant \"nodeadkey\"; the nearest are \"nodeadkeys\","
                    + " \"ro_nodeadkeys\" and \"mac_nodeadkeys\""
            ),
            (
                "qwqwqw:x", .unknownLayout("qwqwqw", nearest: []),
                "there is no layout \"qwqwqw\"; \"keywedge layouts list\" shows all"
            ),
        ]
        for (name, error, sentence) in cases {
            let layout = try KeyLayout(name)
            #expect(throws: error) { try CompiledLayout(layout) }
            #expect(error.description == sentence)
        }
    }

    @Test func aTitleForANameLeadsToTheLayout() throws {
        let layout = try KeyLayout("german")
        let error = #expect(throws: KeyLayoutError.self) { try CompiledLayout(layout) }
        guard case .unknownLayout("german", let nearest) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(nearest.first == "de")
    }
}

extension KeyCode {
    /// Returns the keypad key with the same digit as a key of the main block.
    static func keypad(_ digit: KeyCode) -> KeyCode {
        let keypad: [KeyCode] = [.kp1, .kp2, .kp3, .kp4, .kp5, .kp6, .kp7, .kp8, .kp9, .kp0]
        return keypad[Int(digit.rawValue - KeyCode.digit1.rawValue)]
    }
}
