extension AIMIdentifier {
    /// What the data behind an identifier is.
    enum Content {
        /// 13 digits of EAN-13, UPC-A or UPC-E.
        case ean13
        /// 8 digits of EAN-8.
        case ean8
        /// The digits of an add-on alone.
        case addOn
        /// 13 digits and those of an add-on.
        case ean13WithAddOn
        /// Interleaved 2 of 5, whose check digit, if there is one, was sent.
        case interleaved
        /// Interleaved 2 of 5, whose check digit was checked and taken off.
        case interleavedWithoutCheckDigit
        /// GS1 element strings.
        case gs1
        /// Anything.
        case any
    }

    /// What the data is.
    ///
    /// Rule: ISO/IEC 15424 and GS1 General Specifications, figure 7.8.1-1.
    @inline(__always)
    var content: Content {
        switch (letter, digit) {
        case (UInt8(ascii: "E"), _): retailContent
        case (UInt8(ascii: "I"), UInt8(ascii: "3")): .interleavedWithoutCheckDigit
        case (UInt8(ascii: "I"), _): .interleaved
        case (UInt8(ascii: "C"), UInt8(ascii: "1")), (UInt8(ascii: "e"), UInt8(ascii: "0")),
            (UInt8(ascii: "e"), UInt8(ascii: "1")), (UInt8(ascii: "d"), UInt8(ascii: "2")),
            (UInt8(ascii: "d"), UInt8(ascii: "5")), (UInt8(ascii: "Q"), UInt8(ascii: "3")),
            (UInt8(ascii: "Q"), UInt8(ascii: "4")), (UInt8(ascii: "J"), UInt8(ascii: "1")),
            (UInt8(ascii: "z"), UInt8(ascii: "1")), (UInt8(ascii: "h"), UInt8(ascii: "2")),
            (UInt8(ascii: "L"), UInt8(ascii: "3")):
            .gs1
        default: .any
        }
    }

    private var retailContent: Content {
        switch digit {
        case UInt8(ascii: "0"): .ean13
        case UInt8(ascii: "1"), UInt8(ascii: "2"): .addOn
        case UInt8(ascii: "3"): .ean13WithAddOn
        case UInt8(ascii: "4"): .ean8
        default: .any
        }
    }

    /// The kind of symbol, nil for those that have no name here or are told by their digits.
    ///
    /// Rule: ISO/IEC 15424.
    public var symbology: Symbology? { symbology(of: content) }

    /// The kind of symbol of an identifier whose content is known already.
    @inline(__always)
    func symbology(of content: Content) -> Symbology? {
        switch letter {
        case UInt8(ascii: "A"): .code39
        case UInt8(ascii: "C"): digit == UInt8(ascii: "1") ? .gs1128 : .code128
        case UInt8(ascii: "E"): Self.retailSymbology(of: content)
        case UInt8(ascii: "F"): .codabar
        case UInt8(ascii: "G"): .code93
        case UInt8(ascii: "J"): content == .gs1 ? .gs1DotCode : .dotCode
        case UInt8(ascii: "L"): .pdf417
        case UInt8(ascii: "M"): .msi
        case UInt8(ascii: "Q"): content == .gs1 ? .gs1QRCode : .qrCode
        case UInt8(ascii: "d"): content == .gs1 ? .gs1DataMatrix : .dataMatrix
        case UInt8(ascii: "e"): digit == UInt8(ascii: "0") ? .gs1DataBar : .gs1Composite
        case UInt8(ascii: "z"): .aztec
        default: nil
        }
    }

    private static func retailSymbology(of content: Content) -> Symbology? {
        switch content {
        case .ean13, .ean13WithAddOn: .ean13
        case .ean8: .ean8
        default: nil
        }
    }
}
