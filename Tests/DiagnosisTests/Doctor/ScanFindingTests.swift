import KeywedgeConfiguration
import TestFolders
import TestWaiting
import Testing
import WireText

@testable import Diagnosis

/// The symbol that the terminal shows, and the findings from its scan.
@Suite(.blocking) struct ScanFindingTests {
    @Test func theSymbolIsCode128() throws {
        let symbol = try #require(Code128("PJJ123C"))
        // A well-known worked example in code set B: its check character has the value 55.
        let check = symbol.modules.dropFirst(11 * 8).prefix(11).map { $0 ? "1" : "0" }.joined()
        #expect(check == "11101000110")
        #expect(symbol.modules.count == 11 * 9 + 13)
        #expect(symbol.modules.suffix(13).map { $0 ? "1" : "0" }.joined() == "1100011101011")
    }

    @Test func everyCharacterIsElevenModulesOfItsOwn() throws {
        let all = try (0x20...0x7E).map { byte in
            try #require(
                Code128(String(UnicodeScalar(UInt8(byte))))
            ).modules.dropFirst(11).prefix(11)
        }
        #expect(Set(all.map(Array.init)).count == 95)
        // The number of dark modules in each character is even, as the symbology's self-check requires.
        #expect(all.allSatisfy { $0.count { $0 }.isMultiple(of: 2) && $0.first == true })
    }

    @Test(arguments: ["", "ä", "a\n"]) func whatItCannotSayIsNoSymbol(text: String) {
        #expect(Code128(text) == nil)
    }

    @Test func itFitsATerminal() throws {
        #expect(try #require(TerminalSymbol(TerminalSymbol.testText)).columns <= 80)
        #expect(TerminalSymbol("ä") == nil)
    }

    @Test func aReaderOfSymbolsReadsWhatTheTerminalShows() throws {
        let folder = try TemporaryFolder()
        let symbol = try #require(TerminalSymbol(TerminalSymbol.testText))
        let picture = try folder.write(Self.picture(of: symbol.lines), to: "symbol.pbm")
        let read = try run("zbarimg", "--quiet", "--nodbus", picture)
        #expect(read.output == "CODE-128:\(TerminalSymbol.testText)\n")
    }

    /// The lines as a terminal draws them, without the text below: a plain PBM with 3 by 12 pixels per half column.
    private static func picture(of lines: [String]) -> String {
        let rows = lines.dropLast().map { line in
            line.replacing(/\u{1b}\[[0-9;]*m/, with: "").flatMap { cell -> [Int] in
                switch cell {
                case "█": [1, 1]
                case "▌": [1, 0]
                case "▐": [0, 1]
                default: [0, 0]
                }
            }.flatMap { [Int](repeating: $0, count: 3) }
        }
        let pixels = rows.flatMap { [[Int]](repeating: $0, count: 12) }
        return "P1\n\(pixels.first?.count ?? 0) \(pixels.count)\n"
            + pixels.map { $0.map(String.init).joined(separator: " ") + "\n" }.joined()
    }

    private func judged(_ seen: ScanFinding.Seen) async throws -> Finding {
        let box = Box(BoxFiles()) {
            $0.configuration.scanners = [ScannerConfiguration(name: "counter")]
        }
        let check = ScanFinding(box: box, seen: seen)
        return try #require(await check.findings().first)
    }

    private static func event(_ type: String, _ text: String, _ reason: JSONValue) -> JSONObject {
        [
            "type": .string(type),
            "data": ["scanner": ["name": "counter"], "text": .string(text), "reason": reason],
        ]
    }

    @Test func theSymbolAsItIsMeansThatAllIsWell() async throws {
        let event = Self.event("keywedge.scan", TerminalSymbol.testText, .null)
        #expect(try await judged(.event(event)).verdict == .holds)
    }

    @Test func aPauseMeansThatNoEnterCame() async throws {
        let event = Self.event("keywedge.scan.rejected", TerminalSymbol.testText, "idle")
        let finding = try await judged(.event(event))
        #expect(finding.verdict == .fails)
        #expect(finding.remedies[0].setting.last == "    terminators: [none]")
    }

    @Test func anotherTextIsForTheDetectorToExplain() async throws {
        let finding = try await judged(.event(Self.event("keywedge.scan", "KW/yz-!q", .null)))
        #expect(finding.remedies[0].commands.first == "systemctl stop keywedge")
    }

    @Test func whatTheKeysTellIsWrittenWhereItDiffers() async throws {
        let same = try await judged(.settings(["layout: us"], scanner: "counter"))
        #expect(same.verdict == .holds)
        let other = try await judged(
            .settings(["layout: de", "terminators: [none]", "# more"], scanner: "counter"))
        #expect(
            other.remedies[0].setting == [
                "scanners:", "  - name: counter", "    layout: de", "    terminators: [none]",
            ])
        #expect(try await judged(.settings(nil, scanner: "counter")).verdict == .fails)
    }
}
