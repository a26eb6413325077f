import Foundation
import KeyLayouts
import Keystrokes
import KeywedgeDaemon
import Testing

@Suite struct CalibrationScanTests {
    private static func scan(_ settings: ScanSettings, _ text: String = "aB") throws
        -> CalibrationScan
    {
        var scan = CalibrationScan()
        for event in try settings.typing(of: text) { _ = scan.take(event) }
        return scan
    }

    @Test(arguments: [
        ScanSettings(), ScanSettings(terminators: .init(keys: [.kpenter])),
        ScanSettings(terminators: .init(keys: [.tab])),
        ScanSettings(terminators: .init(keys: [.esc])), ScanSettings(terminators: .none),
        ScanSettings(start: .enter, terminators: .none),
    ])
    func theKeysTellWhatBeginsAndEndsAScan(settings: ScanSettings) throws {
        let found = try Self.scan(settings).settings
        #expect(found.start == settings.start)
        let isEnter = !settings.terminators.keys.isDisjoint(with: [.enter, .kpenter])
        #expect(found.terminators == (isEnter ? .enter : settings.terminators))
    }

    @Test func aPauseEndsTheScan() throws {
        var scan = try Self.scan(ScanSettings())
        let count = scan.events.count
        let deadline = try #require(scan.deadlineMicroseconds)
        #expect(scan.take(.key(.a, 1, at: deadline)) == false)
        #expect(scan.events.count == count)
        #expect(CalibrationScan().hasBegun == false)
    }

    @Test(arguments: [
        (ScanSettings(caps: .inverted), ["layout: fr", "caps: inverted"]),
        (
            ScanSettings(terminators: .init(keys: [.tab])),
            ["layout: fr", "terminators: [tab]"]
        ),
        (
            ScanSettings(start: .enter, terminators: .none),
            ["layout: fr", "start: [enter]", "terminators: [none]"]
        ),
        (ScanSettings(hasUnicodeEntry: true), ["layout: fr"]),
    ])
    func whatIsDetectedIsWhatWasTyped(settings: ScanSettings, lines: [String]) throws {
        let compiler = try KeyLayoutCompiler()
        let layouts = try ["us", "de", "fr", "gb", "us:dvorak"].map {
            try compiler.compile(KeyLayout($0))
        }
        var typing = settings
        typing.table = layouts[2].table
        let scan = try Self.scan(typing, LayoutDetector.calibrationText)
        var detector = LayoutDetector(
            events: scan.events, expected: LayoutDetector.calibrationText, settings: scan.settings)
        for layout in layouts { detector.consider(layout) }
        #expect(
            detector.explanations.first?.configurationLines(for: LayoutDetector.calibrationText)
                == lines)
    }

    @Test func altModeNeedsNoLayout() throws {
        let scan = try Self.scan(
            ScanSettings(hasAltNumpad: true), LayoutDetector.calibrationText)
        var detector = LayoutDetector(
            events: scan.events, expected: LayoutDetector.calibrationText, settings: scan.settings)
        let compiler = try KeyLayoutCompiler()
        for name in ["us", "fr"] { detector.consider(try compiler.compile(KeyLayout(name))) }
        #expect(
            detector.explanations.first?.configurationLines(for: LayoutDetector.calibrationText)
                == [
                    "layout: us", "alt_numpad: true",
                    "# Every character comes as its number, for which the layout does not matter.",
                ])
    }

    @Test(arguments: [
        ("010703206980498810A", ["layout: us", "content: gs1"]),
        ("]C1010703206980498810A", ["layout: us"]), ("4006381333931", ["layout: us"]),
        ("010703206980498810A\u{1D}21B", ["layout: us", "content: gs1"]),
    ])
    func contentIsNamedWhereNothingAnnouncesElementStrings(text: String, lines: [String]) throws {
        #expect(try detected(ScanSettings(), text) == lines)
    }

    @Test(arguments: ["|", "^", "]"] as [Unicode.Scalar])
    func anotherCharacterForFNC1IsFound(character: Unicode.Scalar) throws {
        let lines = try detected(
            ScanSettings(substitutes: [character: "\u{1D}"]),
            "010703206980498810A\u{1D}21B\u{1D}17261231")
        #expect(
            lines == [
                "layout: us", "substitutes:", "  \"\(character)\": \"\\x1D\"", "content: gs1",
            ])
    }

    @Test(arguments: ControlNames.allCases)
    func namesOfFNC1AreFound(names: ControlNames) throws {
        let lines = try detected(
            ScanSettings(controlNames: [names]), "010703206980498810A\u{1D}21B")
        #expect(lines == ["layout: us", "control_names: [\(names)]", "content: gs1"])
    }

    private func detected(_ settings: ScanSettings, _ text: String) throws -> [String] {
        let scan = try Self.scan(settings, text)
        var detector = LayoutDetector(
            events: scan.events, expected: text, settings: scan.settings)
        detector.consider(.us)
        return try #require(detector.explanations.first).configurationLines(for: text)
            .filter { !$0.hasPrefix("#") }
    }

    @Test func theSheetHoldsTheTextThatIsExpected() throws {
        let project = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(
            contentsOf: project.appending(path: "docs/calibration.txt"), encoding: .ascii)
        #expect(text == LayoutDetector.calibrationText)
    }
}
