import KeyLayouts
import Keystrokes
import KeywedgeDaemon
import ScannerInput
import TestWaiting
import Testing

@testable import KeywedgeConfiguration

@Suite struct LayoutAdvisorTests {
    private static func configuration(_ layout: String) throws -> Configuration {
        let compiled = try CompiledLayout(named: layout)
        return Configuration(scanners: [
            ScannerConfiguration(name: "a") { $0.layout = compiled }
        ])
    }

    /// The outcome of a text from a scanner set to `typing` if `reading` is configured.
    private static func outcome(
        of text: String, typing: String, reading: String
    ) throws -> ScanAssembler.Outcome {
        let events = try ScanSettings(table: try CompiledLayout(named: typing).table)
            .typing(of: text)
        var assembler = ScanAssembler(
            settings: ScanSettings(table: try CompiledLayout(named: reading).table))
        let outcomes = events.map { assembler.feed($0) } + [assembler.finish()]
        return outcomes.first { $0 != .nothing } ?? .nothing
    }

    @Test(arguments: [
        ("]E04006381333931", "us", "de", "us"), ("4006381333931", "us", "fr", "us"),
        ("859415627008", "us", "cz", "us"), ("https://example.com/01/1", "us", "de", "us"),
        ("4006381333931", "fr", "us", "fr"),
    ])
    func aMisreadScanNamesTheLikelyLayout(
        text: String, typing: String, reading: String, likely: String
    ) throws {
        let advisor = LayoutAdvisor(
            configuration: try Self.configuration(reading), compiling: .inPlace)
        let outcome = try Self.outcome(of: text, typing: typing, reading: reading)
        guard case .scan(let scan) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        let finding = try #require(
            advisor.finding(in: scan, from: ScannerLabel(name: "a", settingsName: "a")))
        #expect(finding.layouts.map(\.description).contains(likely))
    }

    @Test(arguments: [
        "4006381333931", "KW-HB", "https://example.com/01/09506000134352", "(01)09506000134352",
        "+A123BJC5D6E71G", "----------", "%%%%", "aa//", "00//11", "BAG-PAPER-S",
    ])
    func aScanThatIsRightRaisesNoSuspicion(text: String) throws {
        for layout in ["us", "de", "fr", "cz"] {
            let advisor = LayoutAdvisor(
                configuration: try Self.configuration(layout), compiling: .inPlace)
            let outcome = try Self.outcome(of: text, typing: layout, reading: layout)
            guard case .scan(let scan) = outcome else {
                Issue.record("\(layout): \(outcome)")
                continue
            }
            #expect(scan.text == text)
            #expect(
                advisor.finding(in: scan, from: ScannerLabel(name: "a", settingsName: "a")) == nil,
                "\(layout)")
        }
    }

    @Test func aKeyThatOnlyAnotherLayoutKnowsNamesIt() throws {
        let advisor = LayoutAdvisor(configuration: .standard, compiling: .inPlace)
        let outcome = try Self.outcome(of: "]E04006381333931", typing: "fr", reading: "us")
        guard case .rejection(let rejection) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(rejection.reason == .unmappedKey)
        let finding = try #require(
            advisor.finding(
                in: rejection, from: ScannerLabel(name: "default", settingsName: "default")))
        #expect(finding.evidence == .knownKey)
        #expect(finding.layouts.map(\.description).contains("fr"))
    }

    /// The daemon's scans do not wait for the compiler.
    @Test func aDaemonsFirstOddScanHasNoFindingAndALaterOneHas() async throws {
        let advisor = LayoutAdvisor(
            configuration: try Self.configuration("de"), compiling: .aside)
        guard
            case .scan(let scan) = try Self.outcome(
                of: "https://example.com/01/1", typing: "us", reading: "de")
        else {
            Issue.record("not a scan")
            return
        }
        #expect(advisor.finding(in: scan, from: ScannerLabel(name: "a", settingsName: "a")) == nil)
        try await waitUntil("the layouts") {
            advisor.finding(in: scan, from: ScannerLabel(name: "a", settingsName: "a")) != nil
        }
    }

    @Test func aScannerHasTheLayoutOfItsSettingsWhateverItsName() throws {
        let german = try CompiledLayout(named: "de")
        let configuration = Configuration(scanners: [
            ScannerConfiguration(name: "a") {
                $0.match.vendor = 1
                $0.layout = german
            }
        ])
        let advisor = LayoutAdvisor(configuration: configuration, compiling: .inPlace)
        guard
            case .scan(let scan) = try Self.outcome(
                of: "https://example.com/01/1", typing: "us", reading: "de")
        else {
            Issue.record("not a scan")
            return
        }
        let second = ScannerLabel(name: "a-2", settingsName: "a")
        #expect(advisor.finding(in: scan, from: second) != nil)
        // If the US layout is configured, the text is not suspicious.
        let other = ScannerLabel(name: "a-2", settingsName: nil)
        #expect(advisor.finding(in: scan, from: other) == nil)
    }

    @Test func theQuickLookMissesNothing() throws {
        let texts = [
            "]E04006381333931", "]d20109506000134352", "]C1010950600013435210LOT", "4006381333931",
            "96385074", "https://example.com/01/09506000134352", "http://example.com", "]Q1HELLO",
        ]
        let compiler = try KeyLayoutCompiler()
        let layouts = try ["us", "de", "fr", "cz", "ch", "tr", "us:dvorak", "ru", "jp", "be"]
            .map { try compiler.compile(KeyLayout($0)) }
        var found = 0
        for reading in layouts {
            var suspicion = LayoutSuspicion(configured: reading)
            for other in layouts { suspicion.add(other) }
            let settings = ScanSettings(table: reading.table, splitsAIMIdentifier: false)
            for typing in layouts where typing.layout != reading.layout {
                let typist = ScanTypist(settings: ScanSettings(table: typing.table))
                for text in texts {
                    guard let events = try? typist.events(for: text) else { continue }
                    var assembler = ScanAssembler(settings: settings)
                    for event in events {
                        guard case .scan(let scan) = assembler.feed(event),
                            suspicion.finding(in: scan.text) != nil
                        else { continue }
                        found += 1
                        #expect(
                            LayoutSuspicion.isWorthALook(scan.text),
                            "\(text) from \(typing.layout) read on \(reading.layout): \(scan.text)")
                    }
                }
            }
        }
        #expect(found > 50)
    }
}
