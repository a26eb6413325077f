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
        #expect(detector.explanations.first?.configurationLines == lines)
    }

    @Test func altModeNeedsNoLayout() throws {
        let scan = try Self.scan(
            ScanSettings(hasAltNumpad: true), LayoutDetector.calibrationText)
        var detector = LayoutDetector(
            events: scan.events, expected: LayoutDetector.calibrationText, settings: scan.settings)
        let compiler = try KeyLayoutCompiler()
        for name in ["us", "fr"] { detector.consider(try compiler.compile(KeyLayout(name))) }
        #expect(
            detector.explanations.first?.configurationLines == [
                "layout: us", "alt_numpad: true",
                "# Every character comes as its number, for which the layout does not matter.",
            ])
    }

    @Test func theSheetHoldsTheTextThatIsExpected() throws {
        let project = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(
            contentsOf: project.appending(path: "docs/calibration.txt"), encoding: .ascii)
        #expect(text == LayoutDetector.calibrationText)
    }
}
