import KeyLayouts
import Keystrokes
import Testing

@Suite struct LayoutDetectorTests {
    static let calibration = "ABC]XYZabcxyz0123456789-_.:/\\+*#@!\"$%&'()<=>?[^`{|}~;, "

    @Test(arguments: ["us", "de", "fr", "ch:fr", "cz", "it", "jp", "us:dvorak", "lv:apostrophe"])
    func theExplanationsContainTheLayoutThatTyped(_ name: String) throws {
        let layout = try KeyLayout(name)
        let typist = Typist(table: Compiled.layout(name).table)
        let events = try typist.events(for: Self.calibration)
        var detector = LayoutDetector(events: events, expected: Self.calibration)
        for candidate in Compiled.all { detector.consider(candidate) }
        let explanations = detector.explanations
        let first = try #require(explanations.first { $0.layouts.contains(layout) })
        #expect(first.settings.caps == .track)
        #expect(!first.anyLayoutDoes)
        #expect(explanations.flatMap(\.layouts).count < 12)
    }

    @Test func layoutsThatTypeASCIIAlikeAreOneExplanation() throws {
        let events = try Typist(table: Compiled.layout("de").table).events(for: Self.calibration)
        var detector = LayoutDetector(events: events, expected: Self.calibration)
        for name in ["us", "de:nodeadkeys", "at", "de", "fr"] {
            detector.consider(Compiled.layout(name))
        }
        #expect(detector.explanations.map { $0.layouts.map(\.description) } == [["de", "at"]])
    }

    @Test(arguments: [
        // A wrong character but no GS; a letter, a digit or two characters for GS; `|` for itself too; no `B`.
        ("AB|C", "AB-C"), ("AxB", "A\u{1D}B"), ("A7B", "A\u{1D}B"),
        ("A|B#C", "A\u{1D}B\u{1D}C"), ("A|B|C", "A|B\u{1D}C"), ("A|", "A\u{1D}B"),
    ])
    func aTextWithoutTheSameCharacterForEveryGSHasNoExplanation(typed: String, expected: String)
        throws
    {
        let events = try Typist().events(for: typed)
        var detector = LayoutDetector(events: events, expected: expected)
        detector.consider(.us)
        #expect(detector.explanations.isEmpty)
    }

    @Test func capsLockThatIsOnAtTheStartIsFound() throws {
        var settings = ScanSettings()
        settings.caps = .inverted
        let events = try settings.typing(of: "aBc-1")
        var detector = LayoutDetector(events: events, expected: "aBc-1")
        detector.consider(.us)
        #expect(detector.explanations.map(\.settings.caps) == [.inverted])
    }

    @Test func capsLockThatMeansNothingIsFound() throws {
        let before = try Typist().events(for: "a", endingWith: nil)
        let caps: [KeyEvent] = [
            .key(.capslock, 1, at: 5_000), .report(at: 5_000), .key(.capslock, 0, at: 5_000),
            .report(at: 5_000),
        ]
        let after = try Typist().events(for: "B", startingAt: 6_000)
        var detector = LayoutDetector(events: before + caps + after, expected: "aB")
        detector.consider(.us)
        #expect(detector.explanations.map(\.settings.caps) == [.ignore])
    }

    /// Such a scanner presses Caps Lock before every scan; with `inverted`, every second scan would be wrong.
    @Test func capsLockThatIsPressedBeforeTheScanAndMeansNothingIsFound() throws {
        let caps: [KeyEvent] = [
            .key(.capslock, 1, at: 5_000), .report(at: 5_000), .key(.capslock, 0, at: 5_000),
            .report(at: 5_000),
        ]
        let after = try Typist().events(for: "aB", startingAt: 6_000)
        var detector = LayoutDetector(events: caps + after, expected: "aB")
        detector.consider(.us)
        #expect(detector.explanations.map(\.settings.caps) == [.ignore])
    }

    /// Some other layouts explain nothing, such as `de:mac`, because their keys next to the space bar are not Alt keys.
    @Test func altModeExplainsItselfOnAnyLayout() throws {
        let settings = ScanSettings(hasAltNumpad: true)
        let events = try settings.typing(of: "A]\u{1D}")
        var detector = LayoutDetector(events: events, expected: "A]\u{1D}")
        for candidate in Compiled.all { detector.consider(candidate) }
        let explanations = detector.explanations
        #expect(explanations.count == 1)
        #expect(explanations.first?.settings.hasAltNumpad == true)
        #expect(explanations.first?.needsNoLayout == true)
        #expect(explanations.first?.layouts.first == .us)
    }

    @Test func altModeBetweenKeysLeavesTheLayoutToBeFound() throws {
        var events: [KeyEvent] = []
        for (index, code) in ["065", "093", "029"].enumerated() {
            let now = Int64(index) * 50_000
            events.append(.key(.leftalt, 1, at: now))
            for digit in code.utf8 {
                let keypad: [KeyCode] = [
                    .kp0, .kp1, .kp2, .kp3, .kp4, .kp5, .kp6, .kp7, .kp8, .kp9,
                ]
                let key = keypad[Int(digit - UInt8(ascii: "0"))]
                events += [.key(key, 1, at: now), .key(key, 0, at: now)]
            }
            events.append(.key(.leftalt, 0, at: now))
        }
        for key in [KeyCode.q, .b, .enter] {
            events += [.key(key, 1, at: 200_000), .key(key, 0, at: 200_000)]
        }
        for (text, layouts) in [("A]\u{1D}qb", ["us", "de"]), ("A]\u{1D}ab", ["fr"])] {
            var detector = LayoutDetector(events: events, expected: text)
            for name in ["us", "de", "fr"] { detector.consider(Compiled.layout(name)) }
            let explanations = detector.explanations
            #expect(explanations.flatMap(\.layouts).map(\.description) == layouts)
            #expect(explanations.allSatisfy { $0.settings.hasAltNumpad && !$0.needsNoLayout })
        }
    }

    @Test func anAIMIdentifierMayBeInTheExpectedTextOrNot() throws {
        let events = try Typist().events(for: "]C1ABC")
        for expected in ["ABC", "]C1ABC"] {
            var detector = LayoutDetector(events: events, expected: expected)
            detector.consider(.us)
            #expect(detector.explanations.map(\.layouts) == [[.us]])
        }
    }

    @Test func anUnexplainedTextHasNoExplanation() throws {
        var detector = LayoutDetector(events: try Typist().events(for: "abc"), expected: "abd")
        detector.consider(.us)
        #expect(detector.explanations.isEmpty)
        var silent = LayoutDetector(events: [], expected: "abc")
        silent.consider(.us)
        #expect(silent.explanations.isEmpty)
    }
}
