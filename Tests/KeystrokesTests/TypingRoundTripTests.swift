import TestTexts
import Testing

@testable import Keystrokes

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

    /// Windows-1252 lacks five characters; code page 437 is complete.
    @Test func altModeTypesEveryCharacterOfBothCodePages() {
        let settings = ScanSettings(hasAltNumpad: true)
        let typist = ScanTypist(settings: settings)
        for (page, count) in [(CodePage.windows1252, 123), (CodePage.ibm437, 128)] {
            let upper = (UInt8(0x80)...0xFF).compactMap { page[$0] }
            #expect(upper.count == count)
            let text = String(String.UnicodeScalarView(upper))
            #expect(TypingWays.check(text, with: typist, settings) == .readBack)
        }
    }

    @Test func everyCharacterOfShiftJISComesBack() {
        let settings = ScanSettings(hasAltNumpad: true, encoding: .shiftJIS)
        let typist = ScanTypist(settings: settings)
        let ascii = (0x20...0x7E).compactMap(Unicode.Scalar.init)
        let halfwidth = (0xFF61...0xFF9F).compactMap(Unicode.Scalar.init)
        var texts = [ascii, halfwidth]
        for row in ShiftJIS.rows.split(separator: "\n") {
            texts.append(row.unicodeScalars.filter { $0 != "\u{FFFD}" })
        }
        for text in texts.map({ String(String.UnicodeScalarView($0)) }) {
            #expect(TypingWays.check(text, with: typist, settings) == .readBack)
        }
    }
}
