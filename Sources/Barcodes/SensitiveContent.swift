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
