import Events
import TestTexts
import Testing
import WireText

/// Tests that the lines of events, in every format, and the names of outputs in errors contain no unsafe character.
@Suite struct OutletTests {
    @Test(arguments: EventFormat.allCases, [EventType.scan, .scanRejected, .started])
    func noFormatLetsACharacterThroughThatMustNotLeave(format: EventFormat, type: EventType) {
        let formatter = EventFormatter(format, width: 400)
        let leaks = AllScalars.leaks(of: AllScalars.shortTexts) { text in
            let line = Samples.line(of: Samples.everywhere(text, type: type), formatter)
            return line.isEmpty ? "" : String(line.dropLast()).replacing("\t", with: " ")
        }
        #expect(leaks == [])
    }

    @Test func theTextFormatCanBeUndone() {
        for text in AllScalars.shortTexts {
            let line = Samples.line(of: Samples.scan(text), EventFormatter(.text)).dropLast()
            #expect(Escaping.unescaped(String(line)).map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test func namesOfOutputsAreEscaped() {
        let leaks = AllScalars.leaks(of: AllScalars.shortTexts) { name in
            "\(OutputError.closed(name: name))"
                + "\(OutputError.failed(SystemCallError(operation: "write", path: name, errno: 5)))"
        }
        #expect(leaks == [])
    }
}
