/// A barcode symbology; its raw value is its name in events.
public enum Symbology: String, Hashable, Sendable, CaseIterable {
    case ean13 = "ean-13"
    case ean8 = "ean-8"
    case upcA = "upc-a"
    case upcE = "upc-e"
    case itf14 = "itf-14"
    case code39 = "code-39"
    case code93 = "code-93"
    case code128 = "code-128"
    case gs1128 = "gs1-128"
    case gs1DataBar = "gs1-databar"
    case gs1Composite = "gs1-composite"
    case codabar
    case msi
    /// PDF417 or MicroPDF417.
    case pdf417
    case dataMatrix = "data-matrix"
    case gs1DataMatrix = "gs1-data-matrix"
    case qrCode = "qr-code"
    case gs1QRCode = "gs1-qr-code"
    case aztec
    case dotCode = "dotcode"
    case gs1DotCode = "gs1-dotcode"
}
