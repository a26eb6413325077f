/// Personal content found in a scan; it must not appear in events, logs or the journal.
public struct SensitiveContent: Hashable, Sendable {
    /// The kind of personal content, such as a payment card number.
    ///
    /// Only the kind and the length of the content may be shown.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A track of a payment card's magnetic stripe.
        case magneticStripe = "magnetic-stripe"
        /// The number of a payment card, without the rest of the magnetic stripe.
        case paymentCard = "payment-card"
        /// A North American driving licence or identity card.
        case drivingLicence = "driving-licence"
        /// A line of a machine-readable zone, or a boarding pass.
        case travelDocument = "travel-document"
        /// An identity card of Argentina, Colombia or India.
        case identityCard = "identity-card"
        /// A health certificate of the European Union or New Zealand, or a SMART Health Card.
        case healthCertificate = "health-certificate"
    }

    /// The kind of personal content, such as a payment card number.
    public let kind: Kind
    /// The length of the scanned text in Unicode scalars.
    public let length: Int

    /// The functions that recognise each kind of content in complete and incomplete scans.
    private static let recognisers:
        [(kind: Kind, isWhole: @Sendable (Look) -> Bool, isPart: @Sendable (Look) -> Bool)] = [
            (.magneticStripe, MagneticStripe.isTrack, MagneticStripe.isFragment),
            (.paymentCard, { PaymentCard.isNumber($0.folded) }, PaymentCard.isHeld),
            (.drivingLicence, DrivingLicence.isDocument, DrivingLicence.isFragment),
            (.travelDocument, BoardingPass.isPass, BoardingPass.isFragment),
            (.travelDocument, MachineReadableZone.isLine, MachineReadableZone.isFragment),
            (.identityCard, IdentityCard.isCard, IdentityCard.isFragment),
            (.healthCertificate, HealthCertificate.isStart, HealthCertificate.isStart),
        ]

    /// Looks for personal content in a single text.
    ///
    /// ``SensitiveContentDetector`` also recognises a licence whose lines arrive as separate scans.
    ///
    /// - Parameters:
    ///   - text: The scanned characters; if `aim` is nil, they may start with an AIM identifier.
    ///   - aim: The AIM identifier that was split off; if it announces a product, the text cannot be a payment card.
    ///   - hidden: Which kinds to look for, and which numbers never count as payment cards.
    /// - Returns: The kind and length, or nil if the text may be shown.
    public static func detect(
        _ text: String, aim: String? = nil, hiding hidden: HiddenContent = HiddenContent()
    ) -> SensitiveContent? {
        let decoder = BarcodeDecoder()
        let barcode = aim == nil ? decoder.decode(text) : decoder.decode(text, aim: aim)
        return kind(of: barcode, hiding: hidden).map { SensitiveContent($0, text) }
    }

    /// Looks for personal content, or a part of it, in a rejected scan.
    ///
    /// Do not use it for accepted scans, because the search for parts would cause false positives.
    package static func detectFragment(
        _ text: String, hiding hidden: HiddenContent = HiddenContent()
    ) -> SensitiveContent? {
        let whole = BarcodeDecoder().decode(text)
        let kind = kind(of: whole, hiding: hidden) ?? kind(of: whole, hiding: hidden, isPart: true)
        return kind.map { SensitiveContent($0, text) }
    }

    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        length = text.unicodeScalars.count
    }

    static func kind(
        of barcode: Barcode, hiding hidden: HiddenContent, isPart: Bool = false
    ) -> Kind? {
        let looks = Look.all(barcode.text)
        let mayBeCard = !barcode.isKnownProduct && !hidden.isOwnNumber(Array(barcode.text.utf8))
        return recognisers.first { kind, isWhole, isFragment in
            hidden.kinds.contains(kind)
                && (mayBeCard || kind != .magneticStripe && kind != .paymentCard)
                && looks.contains { isPart ? isFragment($0) : isWhole($0) }
        }?.kind
    }
}

extension Barcode {
    /// Whether the scan is certainly a product: its AIM identifier says so, or it has none and contains GS1 element
    /// strings without errors.
    fileprivate var isKnownProduct: Bool {
        if let aim { return aim.content != .any && aim.content != .interleaved }
        return reading.gs1 != nil && !reading.problems.contains { $0.severity == .error }
    }
}

/// Settings that determine which sensitive content to hide.
public struct HiddenContent: Hashable, Sendable {
    /// The kinds of content to hide; all kinds by default.
    public var kinds: Set<SensitiveContent.Kind>
    /// The shop's own numbers, as digits, never taken for payment cards; `9840*` means all that start with 9840.
    public var ownNumbers: [String]

    /// Creates settings; by default, all kinds are hidden and no number is exempt.
    public init(
        kinds: Set<SensitiveContent.Kind> = Set(SensitiveContent.Kind.allCases),
        ownNumbers: [String] = []
    ) {
        self.kinds = kinds
        self.ownNumbers = ownNumbers
    }

    /// Whether the first number in the text matches ``ownNumbers``, ignoring spaces and hyphens.
    func isOwnNumber(_ text: [UInt8]) -> Bool {
        let number = text.drop { !$0.isDigit }.filter { $0 != 0x20 && $0 != "-" }
            .prefix(while: \.isDigit)
        return ownNumbers.contains { pattern in
            let digits = pattern.utf8.prefix(while: \.isDigit)
            return number.starts(with: digits)
                && (pattern.utf8.last == "*" || number.count == digits.count)
        }
    }
}
