/// Tells what a scanned text means.
///
/// The decoder is a value: no state, no clock, no files. The same text, AIM identifier and
/// settings give the same result.
public struct BarcodeDecoder: Sendable {
    /// What the decoder was told.
    public let settings: Settings
    /// The layouts of in-store codes of the shop and of its region, in the order to try.
    let patterns: [InStorePattern]
    /// Whether the shop has layouts of its own, which any number may follow.
    let hasOwnPatterns: Bool

    /// Makes a decoder.
    ///
    /// - Parameter settings: What cannot be read off a code.
    public init(settings: Settings = .init()) {
        self.settings = settings
        let regional = settings.region?.patternTexts.compactMap { try? InStorePattern($0) }
        patterns = settings.inStorePatterns + (regional ?? [])
        hasOwnPatterns = !settings.inStorePatterns.isEmpty
    }

    /// Tells what a text means.
    ///
    /// - Parameters:
    ///   - text: The characters read, without AIM identifier, prefix, suffix and terminator.
    ///   - aim: The AIM identifier that came ahead of the text, for instance `]E0`; nil where the
    ///     scanner sends none. Without one the symbology is inferred.
    /// - Returns: The meaning; never fails, a text without any is of kind `text`.
    public func decode(_ text: String, aim: String?) -> Barcode {
        var barcode = Barcode(text: text)
        decode(&barcode, aim)
        return consume barcode
    }

    @inline(__always)
    private func decode(_ barcode: inout Barcode, _ aim: String?) {
        if let aim {
            if let identifier = AIMIdentifier(aim) {
                decode(&barcode, by: identifier)
            } else {
                infer(&barcode)
                barcode.problems.append(.invalidAIMIdentifier(aim))
            }
        } else {
            infer(&barcode)
        }
        if !barcode.problems.isEmpty { barcode.countCharacters() }
    }

    /// Tells what a scan means, which may start with an AIM identifier.
    ///
    /// - Parameter scan: All characters a scanner sent, without prefix, suffix and terminator.
    /// - Returns: The meaning; the identifier is not in its text.
    public func decode(_ scan: String) -> Barcode {
        let (aim, text) = AIMIdentifier.split(scan)
        var barcode = Barcode(text: text)
        if let aim { decode(&barcode, by: aim) } else { infer(&barcode) }
        if !barcode.problems.isEmpty { barcode.countCharacters() }
        return consume barcode
    }

    /// Decodes a text by its AIM identifier.
    private func decode(_ barcode: inout Barcode, by aim: AIMIdentifier) {
        let content = aim.content
        barcode.aim = aim
        barcode.symbology = aim.symbology(of: content)
        switch content {
        case .ean13: decodeEAN13(&barcode)
        case .ean8: decodeRetail(&barcode, symbology: .ean8, length: 8)
        case .ean13WithAddOn: decodeWithAddOn(&barcode)
        case .addOn: decodeAddOn(&barcode, length: aim.digit == UInt8(ascii: "1") ? 2 : 5)
        case .interleaved: decodeInterleaved(&barcode)
        case .interleavedWithoutCheckDigit: decodeInterleavedWithoutCheckDigit(&barcode)
        case .gs1: decodeScanData(&barcode)
        case .any:
            decodeText(&barcode)
            if barcode.kind == .text { takeBareGTIN(&barcode) }
        }
    }
}
