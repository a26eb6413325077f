import ArgumentParser
import Barcodes
import KeywedgeConfiguration
import KeywedgeDaemon

/// How a scanner would send the codes that are given to a command.
struct SendingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configured scanner whose content and upc_e hold; else the only one.",
            valueName: "name"))
    var scanner: String?

    @Option(
        help: """
            What a code without AIM identifier may hold, any or gs1 (element strings too); else as \
            configured.
            """)
    var content: BarcodeDecoder.Settings.Content?

    @Option(
        name: .customLong("upc-e"),
        help: """
            How a UPC-E comes without AIM identifier, expanded or unexpanded (as 6 or 7 digits too); \
            else as configured.
            """)
    var upcE: BarcodeDecoder.Settings.UPCE?

    /// The decoder for such codes.
    func decoder(of configuration: Configuration) throws -> BarcodeDecoder {
        var scanner = try orFail { () throws(ReplayScanners.UnknownScanner) in
            try chosen(of: configuration)
        }
        scanner.content = content ?? scanner.content
        scanner.upcE = upcE ?? scanner.upcE
        return configuration.decoder(for: scanner)
    }

    private func chosen(
        of configuration: Configuration
    ) throws(ReplayScanners.UnknownScanner) -> ScannerConfiguration {
        let scanners = configuration.scanners
        guard let scanner else {
            return scanners.count == 1 ? scanners[0] : ScannerConfiguration(name: "default")
        }
        guard let found = scanners.first(where: { $0.name == scanner }) else {
            throw ReplayScanners.UnknownScanner(name: scanner, known: scanners.map(\.name))
        }
        return found
    }
}
