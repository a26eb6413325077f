public import Barcodes

extension BarcodeConfiguration {
    /// The decoder with these settings.
    public var decoder: BarcodeDecoder {
        BarcodeDecoder(
            settings: BarcodeDecoder.Settings(
                region: region.flatMap(Region.init(rawValue:)),
                ambiguousEightDigits: eightDigits == .upcE ? .upcE : .ean8))
    }
}
