import Barcodes
import WireText
import Yams

/// A kind of personal content as the file names it.
private enum HiddenKind: String, CaseIterable {
    case paymentCards = "payment-cards"
    case licences
    case travelDocuments = "travel-documents"
    case identityCards = "identity-cards"
    case healthCertificates = "health-certificates"

    var kinds: Set<SensitiveContent.Kind> {
        switch self {
        case .paymentCards: [.paymentCard, .magneticStripe]
        case .licences: [.drivingLicence]
        case .travelDocuments: [.travelDocument]
        case .identityCards: [.identityCard]
        case .healthCertificates: [.healthCertificate]
        }
    }
}

extension Codec<HiddenContent> {
    /// A list of kinds, or a mapping of kinds and own numbers.
    static let hiddenContent = Self(
        read: { reader in
            if case .mapping = reader.tree.content { return mapping.codec.read(reader) }
            return Codec<Set<SensitiveContent.Kind>>.hiddenKinds.read(reader)
                .map { HiddenContent(kinds: $0) }
        },
        write: { hidden in
            hidden.ownNumbers.isEmpty
                ? Codec<Set<SensitiveContent.Kind>>.hiddenKinds.write(hidden.kinds)
                : mapping.codec.write(hidden)
        },
        schema: {
            .any(
                of: Codec<Set<SensitiveContent.Kind>>.hiddenKinds.schema(&$0),
                mapping.codec.schema(&$0))
        })

    private static let mapping = Section("hide", HiddenContent()) {
        Setting("kinds", \.kinds, .hiddenKinds, "What to hide; [] for nothing.")
        Setting(
            "own_numbers", \.ownNumbers,
            .list("a list of numbers such as [\"633174*\"]", of: .ownNumber, onOneLine: true),
            """
            Numbers of the shop's own cards, which are shown although they look like a payment \
            card's: all digits, or the first ones and *.
            """)
    }
}

extension Codec<Set<SensitiveContent.Kind>> {
    fileprivate static let hiddenKinds = Codec<[HiddenKind]>.list(
        "a list such as [\(HiddenKind.allCases.map(\.rawValue).joined(separator: ", "))]",
        of: .choice, onOneLine: true
    ).map(
        { Set($0.flatMap(\.kinds)) },
        { hidden in HiddenKind.allCases.filter { hidden.isSuperset(of: $0.kinds) } })
}

extension Codec<String> {
    fileprivate static let ownNumber = text(
        "a number, or its first digits and *, such as \"633174*\"",
        .text(pattern: "^[0-9]+\\*?$")
    ) { text in
        let digits = text.utf8.last == UInt8(ascii: "*") ? text.utf8.dropLast() : text.utf8[...]
        return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
    }
}
