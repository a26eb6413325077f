/// A kind of barcode symbol, by the name it bears in events.
public enum Symbology: String, Hashable, Sendable, CaseIterable {
    /// EAN-13, 13 digits.
    case ean13 = "ean-13"
    /// EAN-8, 8 digits.
    case ean8 = "ean-8"
    /// UPC-A, 12 digits.
    case upcA = "upc-a"
    /// UPC-E, 12 digits pressed into 6.
    case upcE = "upc-e"
    /// Interleaved 2 of 5 with a GTIN-14.
    case itf14 = "itf-14"
    /// Code 39.
    case code39 = "code-39"
    /// Code 93.
    case code93 = "code-93"
    /// Code 128 without GS1's FNC1.
    case code128 = "code-128"
    /// Code 128 with FNC1 in first position: GS1 element strings.
    case gs1128 = "gs1-128"
    /// GS1 DataBar.
    case gs1DataBar = "gs1-databar"
    /// GS1 Composite: a linear symbol with a 2D part.
    case gs1Composite = "gs1-composite"
    /// Codabar.
    case codabar
    /// MSI.
    case msi
    /// PDF417 and MicroPDF417.
    case pdf417
    /// Data Matrix without GS1's FNC1.
    case dataMatrix = "data-matrix"
    /// Data Matrix with GS1 element strings.
    case gs1DataMatrix = "gs1-data-matrix"
    /// QR Code without GS1's FNC1.
    case qrCode = "qr-code"
    /// QR Code with GS1 element strings.
    case gs1QRCode = "gs1-qr-code"
    /// Aztec Code.
    case aztec
    /// DotCode without GS1's FNC1.
    case dotCode = "dotcode"
    /// DotCode with GS1 element strings.
    case gs1DotCode = "gs1-dotcode"
}
