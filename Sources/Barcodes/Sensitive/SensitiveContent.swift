/// Something a scanner or card reader sends that must not be seen: not in an event, a log, a
/// journal, an error or a crash report.
public struct SensitiveContent: Hashable, Sendable {
    /// What it is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A track of a magnetic stripe.
        case magneticStripe = "magnetic-stripe"
        /// The number of a payment card.
        case paymentCard = "payment-card"
        /// A North American driving licence or identity card.
        case drivingLicence = "driving-licence"
        /// A line of a passport's, visa's or identity card's machine-readable zone.
        case travelDocument = "travel-document"
    }

    /// What it is.
    public let kind: Kind
    /// How many characters (Unicode scalars) it has; all that may be told of it.
    public let length: Int

    /// Looks for such content in a text.
    ///
    /// Only the text itself is looked at. A licence whose lines come as scans of their own is seen
    /// whole by `SensitiveContentDetector`.
    ///
    /// - Parameters:
    ///   - text: The characters read, with or without an AIM identifier in front.
    ///   - aim: The AIM identifier that came ahead of the text, where it was split off. Digits
    ///     that it says are GS1's are no card's.
    /// - Returns: The kind and length, or nil where the text may be seen.
    public static func detect(_ text: String, aim: String? = nil) -> SensitiveContent? {
        var content = text
        var identifier = aim.flatMap(AIMIdentifier.init(_:))
        if identifier == nil {
            let split = AIMIdentifier.split(text)
            if let found = split.aim { (identifier, content) = (found, split.text) }
        }
        let kind = content.withUTF8 { buffer -> Kind? in
            let bytes = buffer.span
            if MagneticStripe.isTrack(bytes) { return .magneticStripe }
            if Self.mayBeCard(identifier), PaymentCard.isNumber(bytes) { return .paymentCard }
            if DrivingLicence.isDocument(bytes) { return .drivingLicence }
            return MachineReadableZone.isLine(bytes) ? .travelDocument : nil
        }
        return kind.map { SensitiveContent(kind: $0, length: text.unicodeScalars.count) }
    }

    /// Whether the symbol may hold the digits of a card: not if it is one for products.
    private static func mayBeCard(_ aim: AIMIdentifier?) -> Bool {
        guard let aim else { return true }
        return aim.content == .any || aim.content == .interleaved
    }
}

extension SensitiveContent {
    /// Recognises what is left of such content that broke off, whatever stands around it.
    ///
    /// It is the start of a track and eight digits of a card's number, which are enough to name the
    /// issuer; of a card's number that was typed without a track, more digits of it than may be
    /// shown; a part of a machine-readable zone; the beginning of a licence. A prefix is not taken off
    /// yet, nor are substitutes put in.
    ///
    /// Use it for keys that are no scan; of a whole scan it would suspect too much.
    ///
    /// - Parameter text: What was typed before it broke.
    /// - Returns: The kind and the length, or nil where nothing is suspected.
    public static func detectFragment(_ text: String) -> SensitiveContent? {
        if let whole = detect(text) { return whole }
        let bytes = Array(text.utf8)
        for start in bytes.indices where isSentinel(bytes[start]) {
            let number = bytes[(start + 1)...].drop { $0 | 0x20 == UInt8(ascii: "b") }
            let digits = number.prefix { $0.isDigit || $0 == 0x20 }
            guard digits.count >= 8 else { continue }
            return SensitiveContent(kind: .magneticStripe, length: text.unicodeScalars.count)
        }
        let kind: Kind? =
            if PaymentCard.isHeld(in: bytes) {
                .paymentCard
            } else if MachineReadableZone.isFragment(bytes) {
                .travelDocument
            } else if DrivingLicence.isFragment(text) {
                .drivingLicence
            } else { nil }
        return kind.map { SensitiveContent(kind: $0, length: text.unicodeScalars.count) }
    }

    private static func isSentinel(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "%") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "+")
    }
}
