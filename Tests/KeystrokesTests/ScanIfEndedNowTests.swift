import Keystrokes
import TestTexts
import Testing

@Suite struct ScanIfEndedNowTests {
    @Test func itIsWhatATerminatorWouldComplete() {
        var keyboard = Keyboard(ScanSettings(lengths: 2...20, prefix: "P"))
        #expect(keyboard.assembler.scanIfEndedNow == nil)
        keyboard.type("P4")
        // Too short to be a scan.
        #expect(keyboard.assembler.scanIfEndedNow == nil)
        keyboard.type("006")
        #expect(keyboard.assembler.scanIfEndedNow?.text == "4006")
        #expect(keyboard.outcomes == [])
        keyboard.press(.enter)
        #expect(keyboard.texts == ["4006"])
        #expect(keyboard.assembler.scanIfEndedNow == nil)
    }

    @Test func ofATornScanThereIsNone() {
        var keyboard = Keyboard()
        keyboard.type("4006")
        keyboard.drop()
        keyboard.type("381")
        #expect(keyboard.assembler.scanIfEndedNow == nil)
    }

    /// Whatever a scanner is set to: asking changes nothing, and the answer ahead of the last key is
    /// the scan that comes, but for its keystrokes.
    @Test(arguments: TypingWays.modes.indices)
    func aheadOfTheLastKeyItIsTheScanThatComes(index: Int) {
        var texts = RandomTexts(seed: UInt64(index) + 1_000)
        var foreseen = 0
        // Every mode with a third of the frames, every frame with a third of the modes.
        for (number, frame) in TypingWays.frames.enumerated() where (number + index) % 3 == 0 {
            var settings = TypingWays.modes[index]
            frame(&settings)
            let typist = ScanTypist(settings: settings)
            for _ in 0..<12 {
                guard let events = try? typist.events(for: texts.next()) else { continue }
                var (asked, unasked) = (
                    ScanAssembler(settings: settings), ScanAssembler(settings: settings)
                )
                for event in events {
                    let ahead = event.value == 1 ? asked.scanIfEndedNow : nil
                    let outcome = asked.feed(event)
                    #expect(outcome == unasked.feed(event))
                    guard case .scan(let scan) = outcome, let ahead else { continue }
                    foreseen += 1
                    #expect(ahead.text == scan.text && ahead.aim == scan.aim)
                    #expect(ahead.features == scan.features)
                    #expect(ahead.startMicroseconds == scan.startMicroseconds)
                }
                #expect(asked.finish() == unasked.finish())
            }
        }
        #expect(foreseen > 5)
    }
}
