import Keystrokes
import Testing

/// Whatever a scanner can be set to: what is typed is read back as it was.
@Suite struct TypingRoundTripTests {
    private static let base: [ScanSettings] = [
        ScanSettings(), ScanSettings(caps: .inverted), ScanSettings(caps: .ignore),
        ScanSettings(hasAltNumpad: true), ScanSettings(hasUnicodeEntry: true),
        ScanSettings(hasAltNumpad: true, encoding: .utf8),
        ScanSettings(hasAltNumpad: true, encoding: .shiftJIS),
        ScanSettings(hasAltNumpad: true, encoding: .windows1252),
        ScanSettings(hasAltNumpad: true, hasUnicodeEntry: true),
        ScanSettings(hasUnicodeEntry: true, encoding: .utf8),
        ScanSettings(substitutes: ["|": "\u{1D}", "~": "\u{1E}"]),
        ScanSettings(controlNames: [.angle]), ScanSettings(controlNames: [.angle, .braces]),
        ScanSettings(hasUnicodeEntry: true, controlNames: [.braces], substitutes: ["{": "é"]),
    ]

    private static let frames: [@Sendable (inout ScanSettings) -> Void] = [
        { _ in }, { $0.terminators = .init(keys: [.tab]) },
        { $0.terminators = .init(keys: [.esc]) }, { $0.terminators = .init(characters: ["\u{4}"]) },
        { $0.terminators = .init(characters: ["#"]) }, { $0.terminators = .none },
        { $0.terminatorPause = .milliseconds(50) },
        {
            $0.start = .init(characters: ["B"]); $0.terminators = .init(characters: ["C"])
        },
        {
            $0.start = .enter; $0.terminators = .none
        },
        {
            $0.prefix = "P|"; $0.suffix = "<S>"
        },
    ]

    private static func read(_ events: [KeyEvent], _ settings: ScanSettings) -> [ScanAssembler
        .Outcome]
    {
        var assembler = ScanAssembler(settings: settings)
        return (events.map { assembler.feed($0) } + [assembler.finish()]).filter { $0 != .nothing }
    }

    private static func text(_ random: inout SplitMix64) -> String {
        let alphabets: [[Unicode.Scalar]] = [
            Array("0123456789".unicodeScalars), (0x20...0x7E).map { Unicode.Scalar(UInt8($0)) },
            (0x01...0x7F).map { Unicode.Scalar(UInt8($0)) },
            Array("éÉàçüßñ€£¥ÆøÅ½±日本語ｱｲ한글абв😀".unicodeScalars)
                + Array("<GS>{RS}|~#BC".unicodeScalars),
        ]
        let alphabet = alphabets[Int(random.next() % UInt64(alphabets.count))]
        let count = 1 + Int(random.next() % 24)
        var text = String.UnicodeScalarView()
        for _ in 0..<count { text.append(alphabet[Int(random.next() % UInt64(alphabet.count))]) }
        return String(text)
    }

    @Test(arguments: base.indices)
    func whatIsTypedIsReadBack(index: Int) throws {
        var random = SplitMix64(state: UInt64(index))
        var typed = 0
        // Every way of typing with a third of the frames, every frame with a third of the ways.
        for (number, frame) in Self.frames.enumerated() where (number + index) % 3 == 0 {
            var settings = Self.base[index]
            frame(&settings)
            typed += try readBack(in: settings, &random)
        }
        #expect(typed > 80)
    }

    /// Types and reads texts; the number of those that could be typed.
    private func readBack(in settings: ScanSettings, _ random: inout SplitMix64) throws -> Int {
        let typist = ScanTypist(settings: settings)
        var typed = 0
        for _ in 0..<80 {
            let text = Self.text(&random)
            guard let events = try? typist.events(for: text) else { continue }
            // A leading Enter is no data, and an identifier is split off: both are as they should be.
            guard text.unicodeScalars.first.map({ $0 != "\r" && $0 != "\n" && $0 != "]" }) ?? true
            else { continue }
            typed += 1
            let outcomes = Self.read(events, settings)
            guard outcomes.count == 1, case .scan(let scan) = outcomes[0] else {
                Issue.record("\(text.debugDescription) gave \(outcomes), \(settings.description)")
                continue
            }
            #expect(
                scan.text.unicodeScalars.elementsEqual(text.unicodeScalars),
                "\(text.debugDescription), \(settings.description)")
        }
        return typed
    }

    @Test func altModeTypesEveryCharacterOfBothCodePages() throws {
        let settings = ScanSettings(hasAltNumpad: true)
        let upper = (0x80...0xFF).compactMap(Unicode.Scalar.init)
        let text =
            String(String.UnicodeScalarView(upper.filter { $0.value >= 0xA0 }))
            + "€ŸŠ‘’“”ÇΘ░▒▓│┤±≥≤■"
        let outcomes = Self.read(try settings.typing(of: text), settings)
        guard case .scan(let scan)? = outcomes.first else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(scan.text == text)
    }

    @Test func everyCharacterOfShiftJISComesBack() throws {
        let settings = ScanSettings(
            hasAltNumpad: true, idleTimeout: .seconds(1), lengths: 1...20_000, encoding: .shiftJIS)
        let kana = (0x3041...0x3093).compactMap(Unicode.Scalar.init)
        let halfwidth = (0xFF61...0xFF9F).compactMap(Unicode.Scalar.init)
        let text = String(String.UnicodeScalarView(kana + halfwidth)) + "表ソ能①㈱髙﨑纊ⅰ"
        let outcomes = Self.read(try settings.typing(of: text), settings)
        guard case .scan(let scan)? = outcomes.first else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(scan.text == text)
    }
}

extension ScanSettings {
    /// What is set, in short.
    fileprivate var description: String {
        "alt \(hasAltNumpad) unicode \(hasUnicodeEntry) \(encoding) \(caps) \(controlNames)"
            + " \(substitutes) start \(start) end \(terminators) pause \(terminatorPause)"
    }
}

/// A generator of random numbers that gives the same ones every time.
///
/// Rule: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
