package import Barcodes
import EvdevInput
package import KeywedgeConfiguration

/// The decoder of each scanner: what a code says depends on how its scanner sends it.
package struct ScannerDecoders: Sendable {
    private let configured: [String: BarcodeDecoder]
    private let automatic: BarcodeDecoder

    /// Makes the decoders of a configuration.
    ///
    /// - Parameter configuration: Says how each scanner sends codes.
    package init(configuration: Configuration) {
        configured = Dictionary(
            configuration.scanners.map { ($0.name, configuration.decoder(for: $0)) },
            uniquingKeysWith: { $1 })
        let automatic = configuration.scanners.first { $0.match.isEmpty }
        self.automatic = configuration.decoder(
            for: automatic ?? ScannerConfiguration(name: "default"))
    }

    /// Makes one decoder that of all scanners.
    ///
    /// - Parameter decoder: The decoder.
    package init(_ decoder: BarcodeDecoder) {
        configured = [:]
        automatic = decoder
    }

    /// The decoder for what a scanner reads.
    ///
    /// - Parameter scanner: Its name.
    subscript(scanner: String) -> BarcodeDecoder { configured[scanner] ?? automatic }
}
