import Barcodes
import KeywedgeConfiguration
import Testing
import WireText

@testable import KeywedgeDaemon

/// Tests that each scanner's codes are decoded with the settings of that scanner.
@Suite struct ScannerDecodersTests {
    private static let configuration = """
        scanners:
          - {name: plain, match: {vendor: "0001"}}
          - {name: till, match: {vendor: "0002"}, content: gs1, upc_e: unexpanded}
        """

    private func kinds(_ text: String, configuration: String, scanner: String?) async throws
        -> [String]
    {
        let lines = try await replay(text, configuration: configuration, scanner: scanner)
        return lines.compactMap { line in
            guard case .object(let event)? = try? JSONReader.read(line) else { return nil }
            return event["data"]?.object?["kind"]?.string
        }
    }

    @Test(arguments: [
        ("till", ["gs1", "gtin"]), ("plain", ["text", "text"]),
    ])
    func eachScannerHasItsOwn(scanner: String, kinds: [String]) async throws {
        let scans = "type \"010703206980498810LOT-7\\n\"\nwait 1s\ntype \"425261\\n\"\n"
        #expect(
            try await self.kinds(scans, configuration: Self.configuration, scanner: scanner)
                == kinds)
    }

    @Test func aScannerThatIsTakenWithoutAMatchHasThatOfTheOneWithoutAMatch() throws {
        let configuration = try Configuration.parse(
            text: "scanners: [{name: any, content: gs1}]", file: "k.yaml")
        let decoders = PerScanner(configuration) { configuration.decoder(for: $0) }
        #expect(decoders["any"].settings.content == .gs1)
        #expect(decoders["0c2e-0b61"].settings.content == .gs1)
        #expect(decoders[nil].settings.content == .gs1)
    }
}
