import Keystrokes
import TestTexts
import Testing

/// Tests that a typed text is read back unchanged with many different settings.
@Suite struct TypingRoundTripTests {
    @Test(arguments: TypingWays.modes.indices)
    func everyTypedTextIsReadBack(index: Int) {
        var texts = RandomTexts(seed: UInt64(index))
        var typed = 0
        // Combines every mode with a third of the frames, and every frame with a third of the modes.
        for (number, frame) in TypingWays.frames.enumerated() where (number + index) % 3 == 0 {
            var settings = TypingWays.modes[index]
            frame(&settings)
            let typist = ScanTypist(settings: settings)
            for _ in 0..<80 {
                switch TypingWays.check(texts.next(), with: typist, settings) {
                case .readBack: typed += 1
                case .untypable: break
                case .differs(let how): Issue.record("\(how)")
                }
            }
        }
        #expect(typed > 80)
    }

    private static func read(
        _ events: [KeyEvent], _ settings: ScanSettings
    ) -> [ScanAssembler.Outcome] {
        var assembler = ScanAssembler(settings: settings)
        return (events.map { assembler.feed($0) } + [assembler.finish()]).filter { $0 != .nothing }
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
