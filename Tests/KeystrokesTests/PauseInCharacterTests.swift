import Keystrokes
import Testing

/// A pause longer than the idle time, in the middle of a character that takes several keys.
@Suite struct PauseInCharacterTests {
    /// The apostrophe key is dead: with e it gives é.
    private static let table: KeyTable = {
        var table = KeyTable.us
        let acute = DeadKey(rawValue: 0xFE51)
        for level in KeyLevel.all where level.isDisjoint(with: [.shift, .control]) {
            table[.apostrophe, level] = .dead(acute)
        }
        table.register([
            DeadKeyPair(acute, .character("e"), gives: .character("é")),
            DeadKeyPair(acute, .dead(acute), gives: .dead(DeadKey(rawValue: 1))),
            DeadKeyPair(DeadKey(rawValue: 1), .character("e"), gives: .character("ế")),
        ])
        return table
    }()
    private static let dead = ScanSettings(table: table)
    private static let alt = ScanSettings(hasAltNumpad: true)
    private static let unicode = ScanSettings(hasUnicodeEntry: true)

    /// What a story of keys gives: `+` presses, `-` releases, `_` is a pause, `.` one of half the
    /// idle time, the other words are keys pressed and released.
    private static func story(
        _ words: String, _ settings: ScanSettings, telling tellsTime: Bool
    ) -> [String] {
        let names: [Substring: KeyCode] = [
            "Alt": .leftalt, "Ctrl": .leftctrl, "Shift": .leftshift, "Enter": .enter,
            "Space": .space, "'": .apostrophe, "Tab": .tab,
        ]
        let digits: [KeyCode] = [.kp0, .kp1, .kp2, .kp3, .kp4, .kp5, .kp6, .kp7, .kp8, .kp9]
        var keyboard = Keyboard(settings)
        for word in words.split(separator: " ") {
            let name = word.drop { $0 == "+" || $0 == "-" }
            let digit = name.first?.wholeNumberValue
            let key = names[name] ?? digit.map { digits[$0] } ?? KeyCode(name: "KEY_\(name)")
            switch (word.first, key) {
            case ("_", _): tellsTime ? keyboard.wait(600) : (keyboard.now += 600_000)
            case (".", _): tellsTime ? keyboard.wait(250) : (keyboard.now += 250_000)
            case ("!", _): keyboard.drop()
            case ("+", let key?): keyboard.down(key)
            case ("-", let key?): keyboard.up(key)
            case (_, let key?): keyboard.press(key)
            default: Issue.record("no key \(word)")
            }
        }
        keyboard.finish()
        return keyboard.story
    }

    @Test(
        arguments: [
            // The pause ahead of the last digit, the first, and the release.
            (
                "A +Alt 0 6 _ 5 -Alt B Enter C Enter",
                ["unmapped-key 'a'@1/3", "unmapped-key ''@0/3", "c"]
            ),
            (
                "A +Alt 0 _ 6 5 -Alt B Enter C Enter",
                ["unmapped-key 'a'@1/2", "unmapped-key ''@0/4", "c"]
            ),
            (
                "A +Alt 0 6 5 _ -Alt B Enter C Enter",
                ["unmapped-key 'a'@1/4", "unmapped-key ''@0/2", "c"]
            ),
            // Nothing is left of it but the release.
            ("A +Alt 0 6 5 _ -Alt _ C Enter", ["unmapped-key 'a'@1/4", "c"]),
            ("A +Alt 0 6 5 _ -Alt Enter C Enter", ["unmapped-key 'a'@1/4", "c"]),
            // The next number is behind it, and so is the rest of the scan.
            (
                "A +Alt 0 6 _ 5 -Alt +Alt 0 6 6 -Alt B Enter C Enter",
                ["unmapped-key 'a'@1/3", "unmapped-key ''@0/6", "c"]
            ),
            // Several pauses.
            (
                "A +Alt 0 _ 6 _ 5 -Alt B Enter C Enter",
                ["unmapped-key 'a'@1/2", "unmapped-key ''@0/1", "unmapped-key ''@0/3", "c"]
            ),
            // An idle gap behind the number's end is as good as a terminator.
            (
                "A +Alt 0 6 _ 5 -Alt _ C Enter",
                ["unmapped-key 'a'@1/3", "unmapped-key ''@0/1", "c"]
            ),
            (
                "A +Alt 0 6 _ 5 -Alt . B Enter C Enter",
                ["unmapped-key 'a'@1/3", "unmapped-key ''@0/3", "c"]
            ),
            // Alt is down, and no digit has come: the number is whole, but not the scan.
            (
                "A +Alt _ 0 6 5 -Alt B Enter C Enter",
                ["idle 'a'@1/1", "unmapped-key ''@0/5", "c"]
            ),
            ("A +Alt _ -Alt B Enter C Enter", ["idle 'a'@1/1", "unmapped-key ''@0/2", "c"]),
            ("+Alt _ 0 6 5 -Alt B Enter", ["Ab"]),
            // Cut off already when the pause comes.
            (
                "A +Alt 0 6 B _ 5 -Alt B Enter C Enter",
                ["unmapped-key 'a'@1/4", "unmapped-key ''@0/3", "c"]
            ),
            (
                "A +Alt 0 6 _ B 5 -Alt B Enter C Enter",
                ["unmapped-key 'a'@1/3", "unmapped-key ''@0/4", "c"]
            ),
            (
                "A +Alt 0 6 _ +Alt 0 6 5 -Alt B Enter C Enter",
                ["unmapped-key 'a'@1/3", "unmapped-key ''@0/5", "c"]
            ),
            // Lost keys outweigh it, and with them goes what was known of the number.
            ("+Alt 0 6 _ 5 ! B Enter C Enter", ["unmapped-key ''@0/2", "torn ''@0/3", "c"]),
        ] as [(String, [String])])
    func theRestOfANumberInAltModeIsNoText(keys: String, story: [String]) {
        #expect(Self.story(keys, Self.alt, telling: true) == story)
        #expect(Self.story(keys, Self.alt, telling: false) == story)
    }

    @Test(
        arguments: [
            // Lost keys, then a pause, both inside one number.
            (
                "A +Alt 0 ! 6 _ 5 -Alt B Enter C Enter",
                ["torn 'a'@1/2", "unmapped-key ''@0/3", "c"]
            ),
            (
                "A +Alt 0 6 5 ! _ -Alt B Enter C Enter",
                ["torn 'a'@1/3", "unmapped-key ''@0/2", "c"]
            ),
            // No number can have been cut off: Alt or an end has come since.
            ("A ! 6 -Alt +Alt 0 6 5 -Alt _ 5 Enter", ["torn 'a'@1/5", "5"]),
            ("A ! 6 5 _ +Alt 0 6 5 -Alt B Enter", ["torn 'a'@1/3", "Ab"]),
            ("A ! 6 5 Enter 5 Enter", ["torn 'a'@1/4", "5"]),
            // Feared once, not for ever.
            (
                "A ! _ 5 _ C Enter C Enter",
                ["torn 'a'@1/1", "unmapped-key ''@0/1", "c", "c"]
            ),
        ] as [(String, [String])])
    func theRestOfANumberWhoseBeginningWasLostIsNoText(keys: String, story: [String]) {
        #expect(Self.story(keys, Self.alt, telling: true) == story)
        #expect(Self.story(keys, Self.alt, telling: false) == story)
    }

    @Test(
        arguments: [
            ("A ' _ E B Enter C Enter", ["unmapped-key 'a'@1/2", "unmapped-key ''@0/3", "c"]),
            ("A ' _ X B Enter C Enter", ["unmapped-key 'a'@1/2", "unmapped-key ''@0/3", "c"]),
            (
                "A ' _ +Shift E -Shift B Enter C Enter",
                ["unmapped-key 'a'@1/2", "unmapped-key ''@0/3", "c"]
            ),
            ("A ' _ ' E B Enter C Enter", ["unmapped-key 'a'@1/2", "unmapped-key ''@0/4", "c"]),
            ("A ' ' _ E _ C Enter", ["unmapped-key 'a'@1/3", "unmapped-key ''@0/1", "c"]),
            // Another character of several keys in what follows it.
            ("' _ E ' E Enter C Enter", ["unmapped-key ''@0/1", "unmapped-key ''@0/4", "c"]),
            (
                "' _ E ' _ E Enter C Enter",
                ["unmapped-key ''@0/1", "unmapped-key ''@0/2", "unmapped-key ''@0/2", "c"]
            ),
            // The scan was over, but for its end.
            ("A ' _ Enter C Enter", ["unmapped-key 'a'@1/2", "c"]),
            ("A ' _", ["unmapped-key 'a'@1/2"]),
        ] as [(String, [String])])
    func theLetterOfADeadKeyIsNoText(keys: String, story: [String]) {
        #expect(Self.story(keys, Self.dead, telling: true) == story)
        #expect(Self.story(keys, Self.dead, telling: false) == story)
    }

    @Test(
        arguments: [
            (
                "A +Ctrl +Shift U -Shift -Ctrl E _ 9 Space B Enter C Enter",
                ["unmapped-key 'a'@1/3", "unmapped-key ''@0/4", "c"]
            ),
            (
                "A +Ctrl +Shift U -Shift -Ctrl _ E 9 Enter B Enter C Enter",
                ["unmapped-key 'a'@1/2", "unmapped-key ''@0/5", "c"]
            ),
            (
                "A +Ctrl +Shift U E _ 9 -Shift -Ctrl B Enter C Enter",
                ["unmapped-key 'a'@1/3", "unmapped-key ''@0/3", "c"]
            ),
            (
                "A +Ctrl +Shift U E 9 _ -Shift -Ctrl B Enter C Enter",
                ["unmapped-key 'a'@1/4", "unmapped-key ''@0/2", "c"]
            ),
            ("A +Ctrl +Shift U E 9 _ -Shift -Ctrl _ C Enter", ["unmapped-key 'a'@1/4", "c"]),
            (
                "A +Ctrl +Shift _ U E 9 -Shift -Ctrl B Enter C Enter",
                ["idle 'a'@1/1", "unmapped-key ''@0/5", "c"]
            ),
            // The keys stay down over the pause: they have no say in the next scan.
            (
                "A +Shift _ B C Enter -Shift D Enter",
                ["idle 'a'@1/1", "unmapped-key ''@0/3", "d"]
            ),
        ] as [(String, [String])])
    func theRestOfAUnicodeNumberIsNoText(keys: String, story: [String]) {
        #expect(Self.story(keys, Self.unicode, telling: true) == story)
        #expect(Self.story(keys, Self.unicode, telling: false) == story)
    }

    @Test(
        arguments: [
            // Without Shift or Control the key would be another character.
            ("A +Shift _ B -Shift C Enter D Enter", ["idle 'a'@1/1", "unmapped-key ''@0/3", "d"]),
            (
                "A +Ctrl _ RIGHTBRACE -Ctrl C Enter D Enter",
                ["idle 'a'@1/1", "unmapped-key ''@0/3", "d"]
            ),
            ("A +Shift _ -Shift B Enter D Enter", ["idle 'a'@1/1", "unmapped-key ''@0/2", "d"]),
            // The scan was over, but for its end; or nothing more came of it.
            ("A +Shift _ -Shift Enter D Enter", ["idle 'a'@1/1", "d"]),
            ("A +Shift _ -Shift _ D Enter", ["idle 'a'@1/1", "d"]),
        ] as [(String, [String])])
    func theKeyAModifierWasHeldForIsNoText(keys: String, story: [String]) {
        #expect(Self.story(keys, ScanSettings(), telling: true) == story)
        #expect(Self.story(keys, ScanSettings(), telling: false) == story)
    }

    /// The lost keys are in the time ahead of the word of them, so that it is no pause.
    @Test func thePauseAheadOfLostKeysIsNone() {
        let keys = "A +Alt 0 6 _ ! B Enter C Enter"
        #expect(
            Self.story(keys, Self.alt, telling: true)
                == ["unmapped-key 'a'@1/3", "torn ''@0/2", "c"])
        #expect(Self.story(keys, Self.alt, telling: false) == ["torn 'a'@1/4", "c"])
    }

    @Test(
        arguments: [
            "A B C +Shift _ D -Shift E _ C _", "A B C +Alt _ 0 6 5 -Alt E _ C _",
        ])
    func aPauseWithAModifierDownEndsNoScan(keys: String) {
        var settings = Self.alt
        settings.terminators = .none
        for telling in [true, false] {
            let story = Self.story(keys, settings, telling: telling)
            #expect(story.count == 3 && story.last == "c", "\(story)")
            #expect(story.first == "unmapped-key 'abc'@3/3", "\(story)")
        }
    }

    @Test(arguments: [true, false])
    func aStartIsStillNeededAfterAPauseAheadOfTheEnd(telling: Bool) {
        var settings = Self.alt
        settings.terminators = .init(characters: ["C"])
        settings.start = .init(characters: ["B"])
        let scan = "+Alt 6 6 -Alt +Alt 5 2 -Alt +Alt 6 7"
        #expect(
            Self.story("\(scan) _ -Alt _ \(scan) -Alt", settings, telling: telling)
                == ["unmapped-key '4'@1/6", "4"])
        #expect(
            Self.story("\(scan) _ -Alt _ +Alt 5 2 -Alt +Alt 6 7 -Alt", settings, telling: telling)
                == ["unmapped-key '4'@1/6", "no-start ''@0/4"])
    }

    @Test func aTerminatorThatIsANumberEndsWhatThePauseCameInto() {
        var settings = Self.alt
        settings.terminators = .init(characters: ["\r"])
        for telling in [true, false] {
            #expect(
                Self.story("A +Alt 0 1 _ 3 -Alt C +Alt 0 1 3 -Alt", settings, telling: telling)
                    == ["unmapped-key 'a'@1/3", "unmapped-key ''@0/1", "c"])
            #expect(
                Self.story("A +Alt 0 1 3 _ -Alt C +Alt 0 1 3 -Alt", settings, telling: telling)
                    == ["unmapped-key 'a'@1/4", "c"])
        }
    }

    @Test func aStartBeginsAScanAfterThePause() {
        var settings = Self.alt
        settings.start = .enter
        settings.terminators = .none
        #expect(
            Self.story("Enter A +Alt 0 6 _ 5 -Alt Enter C _", settings, telling: true)
                == ["unmapped-key 'a'@1/4", "unmapped-key ''@0/1", "c"])
    }

    @Test func theScannerGoneTheRestIsForgotten() {
        var keyboard = Keyboard(Self.dead)
        keyboard.press(.a, .apostrophe)
        keyboard.wait(600)
        #expect(keyboard.assembler.disconnect(at: keyboard.now) == .nothing)
        keyboard.press(.e, .enter)
        #expect(keyboard.story == ["unmapped-key 'a'@1/2", "e"])
    }

    @Test func aTerminatorPauseLeavesANumberBegunToTheNextScan() {
        var settings = Self.alt
        settings.terminatorPause = .milliseconds(100)
        #expect(
            Self.story("A Enter +Alt . 0 6 5 -Alt B Enter", settings, telling: true)
                == ["a", "Ab"])
    }

    /// Ways of typing by name, for a table of settings would be written out with every failure.
    private static let ways: [String: ScanSettings] = [
        "dead keys": dead, "ALT mode": alt, "Unicode entry": unicode,
        "dead keys and Unicode entry": ScanSettings(table: table, hasUnicodeEntry: true),
    ]

    /// Wherever the pause comes, what is read is the scan behind it and at most a tail of the text.
    @Test(
        arguments: [
            ("dead keys", "xéy"), ("ALT mode", "Xéÿ"), ("Unicode entry", "xéÿy"),
            ("dead keys and Unicode entry", "xéÿy"),
        ])
    func noPauseInventsACharacter(way: String, text: String) throws {
        let settings = try #require(Self.ways[way])
        let typist = ScanTypist(settings: settings)
        let keys = try typist.events(for: text)
        let next = try typist.events(for: "z").map { $0.later(by: 1_200_000) }
        let fresh = ScanAssembler(settings: settings)
        for split in keys.indices.dropFirst() {
            var assembler = fresh
            let events = keys[..<split] + keys[split...].map { $0.later(by: 600_000) } + next
            let texts = events.compactMap { event -> String? in
                if case .scan(let scan) = assembler.feed(event) { scan.text } else { nil }
            }
            #expect(texts.last == "z", "\(split)")
            #expect(texts.count <= 2, "\(split)")
            #expect(texts.dropLast().allSatisfy(text.hasSuffix), "\(split)")
        }
    }
}

extension KeyEvent {
    fileprivate func later(by microseconds: Int64) -> KeyEvent {
        var event = self
        event.microseconds += microseconds
        return event
    }
}
