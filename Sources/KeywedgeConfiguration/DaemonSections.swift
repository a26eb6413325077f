import Barcodes
import EventService
import HTTPService
import Journal
import WebAPI
import WireText
import Yams

extension JournalSettings {
    static let section = Section("journal", JournalSettings()) {
        Setting("file", \.file, .path, "The file.")
        Setting("keep", \.keep, Keep.section.codec, "How much is kept.")
        Setting(
            "when_full", \.whenFull, .choice,
            "What to do when there is no room: oldest removes the oldest events, newest does "
                + "not journal new ones.")
    }
}

extension JournalSettings.Keep {
    fileprivate static let section = Section(
        "keep", JournalSettings.Keep(), onOneLine: { _ in true }
    ) {
        Setting(
            "days", \.days, .number(in: 1...3_650),
            "How many days to keep events; longer if a durable sink still needs them.")
        Setting(
            "megabytes", \.megabytes, .number(in: 1...1_000_000),
            "How large the events may become, accepted or not.")
        Setting(
            "dead_letter_megabytes", \.deadLetterMegabytes, .number(in: 1...1_000_000),
            "How large the dead letters may become; then the oldest are removed.")
    }
}

extension ListenSettings {
    static let section = Section("listen", ListenSettings()) {
        Setting(
            "socket", \.socket, .socketPath,
            "The unix socket, for its owner and its group.")
        Setting(
            "http", \.http,
            .text(
                "an address such as 127.0.0.1:8691",
                .string(pattern: "^([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\]):[0-9]{1,5}$"),
                read: { ListenAddress($0) }, write: \.description),
            "A further address to listen on, such as 127.0.0.1:8691; without it, none.")
        Setting(
            "hosts", \.hosts, .hosts,
            "Names that clients of http may use for this box, besides its address and localhost.")
        Setting(
            "origins", \.origins, .origins,
            "The origins of pages that may read events, such as https://pos.example.")
        Setting(
            "token_file", \.tokenFile, .path, "A file with the token that clients of http send.")
        Setting(
            "certificate_file", \.certificateFile, .path,
            "A file with the certificate that http shows.")
        Setting("key_file", \.keyFile, .path, "A file with the key of that certificate.")
    } check: { listen, section in
        section.reportUnpaired(certificate: listen.certificateFile, key: listen.keyFile)
        if let http = listen.http, !http.isLoopback,
            listen.tokenFile == nil || listen.certificateFile == nil
        {
            section.report(
                expected: "token_file, certificate_file and key_file beside an address that other "
                    + "boxes can reach",
                found: "not all of them")
        }
        if listen.http == nil, listen.tokenFile != nil || listen.certificateFile != nil {
            section.report(
                expected: "http beside token_file and certificate_file", found: "none")
        }
    }
}

extension Codec<String> {
    /// The path of the daemon's socket; at most 107 bytes, plus a null byte (unix(7)).
    fileprivate static let socketPath: Self = {
        var codec = path
        codec.read = { reader in
            guard let path = reader.filePath() else { return nil }
            guard path.utf8.count > 107 else { return path }
            return reader.refuse(
                expected: "a path of at most 107 bytes",
                found: "\(path.utf8.count) bytes, \(quoted: path)")
        }
        return codec
    }()
}

extension Codec<[String]> {
    fileprivate static let hosts = list(
        "a list of names such as [register-3.lan]",
        of: .text("a name such as register-3.lan", .string(pattern: "^[A-Za-z0-9._-]+$")) { name in
            !name.isEmpty && ListenAddress(name + ":1")?.host == name
        }, onOneLine: true)

    fileprivate static let origins = list(
        "a list of origins such as [https://pos.example]",
        of: .text(
            "an origin such as https://pos.example", .string(pattern: "^https?://[^/?#@]+$"),
            // Browsers send an origin without a path, and without the scheme's default port.
            where: { (try? Address($0))?.origin.description == $0 }), onOneLine: true)
}

extension BarcodeDecoder.Settings {
    static let section = Section("barcodes", BarcodeDecoder.Settings()) {
        Setting(
            "region", \.region, .choice,
            "The country whose rules for in-store codes apply.")
        Setting(
            "in_store", \.inStorePatterns,
            .list(
                "a list of patterns such as [21IIIIIPPPPPK]",
                of: .parsed(
                    "the pattern of an in-store code such as 21IIIIIPPPPPK",
                    read: InStorePattern.init, write: \.text)
            ).omitting(\.isEmpty),
            "The shop's own in-store patterns: I item, P price, W weight, N count, C price "
                + "check digit, X any digit, K check digit. A lookup also asks for the item, "
                + "however it is listed.")
        Setting(
            "eight_digits", \.ambiguousEightDigits, .choice,
            "How to read eight digits that fit both EAN-8 and UPC-E, without AIM identifier.")
    }
}

extension Codec<HiddenContent> {
    /// The kinds of content to hide, optionally with the shop's own card numbers as exceptions.
    static let hiddenContent = either(
        Codec<Set<SensitiveContent.Kind>>.hiddenKinds.map({ HiddenContent(kinds: $0) }, \.kinds),
        Section("hide", HiddenContent()) {
            Setting("kinds", \.kinds, .hiddenKinds, "The kinds to hide; [] for none.")
            Setting(
                "own_numbers", \.ownNumbers,
                .list(
                    "a list of numbers such as [\"633174*\"]",
                    of: .text(
                        "a number, or its first digits and *, such as \"633174*\"",
                        matching: .text(pattern: "^[0-9]+\\*?$")), onOneLine: true),
                "Numbers of the shop's own cards, shown although they look like payment cards: "
                    + "all digits, or the first ones and *.")
        }.codec.omitting(\.ownNumbers.isEmpty))
}

/// The names that a configuration file uses for the kinds of content to hide.
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

extension Codec<Set<SensitiveContent.Kind>> {
    fileprivate static let hiddenKinds = Codec<[HiddenKind]>.list(
        "a list such as [\(HiddenKind.allCases.map(\.rawValue).joined(separator: ", "))]",
        of: .choice, onOneLine: true
    ).map(
        { Set($0.flatMap(\.kinds)) },
        { hidden in HiddenKind.allCases.filter { hidden.isSuperset(of: $0.kinds) } })
}
