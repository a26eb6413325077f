import Foundation
import HTTPTypes
import Keystrokes
import KeywedgeTestKit
import Testing
import WebAPI

@Suite struct FirstExampleTests {
    private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    @Test(arguments: ["Keystrokes", "Barcodes", "WebAPI", "KeywedgeTestKit"])
    func whatTheLandingPageShowsIsCompiledHere(library: String) throws {
        let page = try text("Sources/\(library)/\(library).docc/\(library).md")
        let blocks = page.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        #expect(!blocks.isEmpty)
        let compiled = try text("Tests/ExamplesTests/FirstExamples.swift")
        for block in blocks { #expect(compiled.contains(block)) }
    }

    @Test func keyEventsBecomeScans() throws {
        let typist = ScanTypist(settings: ScanSettings())
        #expect(scans(in: try typist.events(for: "4006381333931")) == ["4006381333931"])
    }

    @Test func aBarcodeIsExplained() {
        #expect(lines(for: "4006381333931") == ["GTIN 04006381333931"])
        #expect(
            lines(for: "]d20109506000134352")
                == ["GTIN 09506000134352", "(01) GTIN: 09506000134352"])
    }

    @Test func anEndpointGivesItsModel() async throws {
        let transport = StubTransport([
            .response(
                Response(
                    status: .ok, headers: [.contentType: "application/json"],
                    payload: Array(#"{"login": "octocat", "name": "Mona"}"#.utf8)))
        ])
        #expect(try await name(of: "octocat", over: transport) == "Mona")
    }

    @Test func aStubServerKeepsWhatItWasAsked() async throws {
        #expect(try await requestsForAName() == ["/users/octocat"])
    }
}
