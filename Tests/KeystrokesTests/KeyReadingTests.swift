import Keystrokes
import Testing

@Suite struct KeyReadingTests {
    private func assembler(after events: KeyEvent...) -> ScanAssembler {
        var assembler = ScanAssembler(settings: ScanSettings())
        for event in events { _ = assembler.feed(event) }
        return assembler
    }

    @Test func aReadingIsTheMeaningOfAPressAndChangesNothing() {
        let assembler = assembler(after: .key(.leftshift, 1, at: 0), .key(.capslock, 1, at: 1))
        let copy = assembler
        #expect(
            assembler.reading(of: .digit1)
                == KeyReading(meaning: .character("!"), modifiers: [.leftShift], locks: .caps))
        #expect(
            assembler.reading(of: .a)
                == KeyReading(meaning: .character("a"), modifiers: [.leftShift], locks: .caps))
        #expect(assembler.reading(of: .enter)?.meaning == .terminator)
        #expect(assembler.deadlineMicroseconds == copy.deadlineMicroseconds)
    }

    @Test func whileAltIsHeldACharacterIsUnknown() {
        let assembler = assembler(after: .key(.leftalt, 1, at: 0))
        #expect(
            assembler.reading(of: .digit1) == KeyReading(meaning: .unknown, modifiers: [.alt]))
        #expect(assembler.reading(of: .enter)?.meaning == .terminator)
    }

    @Test func keysMeanNothingUntilTheReportAfterLostKeys() {
        var assembler = assembler(after: .dropped(at: 0))
        #expect(assembler.reading(of: .digit1) == nil)
        _ = assembler.feed(.report(at: 0))
        #expect(assembler.reading(of: .digit1) == KeyReading(meaning: .character("1")))
    }

    @Test func aKeyTheTableHasNoRoomForIsUnknown() {
        #expect(
            assembler().reading(of: KeyCode(rawValue: .max)) == KeyReading(meaning: .unknown))
    }
}
