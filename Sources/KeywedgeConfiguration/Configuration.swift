package import Barcodes
package import EventService
import Foundation
import HTTPService
package import Journal
import ScannerInput
package import WireText

/// A configuration file, with defaults for all settings that it leaves out.
///
/// The structs hold values; other types turn them into key tables, decoders, catalogs and sinks. ``parse(text:file:)``
/// and ``load(path:)`` return only values that passed every check.
package struct Configuration: Equatable, Sendable {
    /// The name of this register; nil to use the host's name.
    package var register: String?
    /// The scanners, in the order of the file; at least one, and each has a unique name.
    package var scanners = [ScannerConfiguration(name: "default")]
    package var barcodes = BarcodeDecoder.Settings()
    package var hide = HiddenContent()
    package var catalog = CatalogConfiguration()
    /// The journal as the file declares it; see ``journalInUse``.
    package var journal: JournalSettings?
    /// The daemon's interface, if any.
    package var listen: ListenSettings?
    package var events = [SinkConfiguration(StandardOutputConfiguration())]

    /// The journal that the daemon keeps, if any.
    ///
    /// If the file declares no journal but something in it reads one, this is a journal with default settings.
    package var journalInUse: JournalSettings? {
        let isRead = listen != nil || events.contains { $0.settings.readsJournal }
        return journal ?? (isRead ? JournalSettings() : nil)
    }

    /// The built-in defaults, which an empty file leaves unchanged.
    ///
    /// One scanner named `default` with the layout `us`, whose scans end with either Enter key; the embedded catalog at
    /// ``CatalogConfiguration/standardPath``; events on stdout.
    package static let standard = Self()
}

extension Configuration {
    package init(scanners: [ScannerConfiguration]) {
        self.init()
        self.scanners = scanners
    }

    static let section = Section("configuration", Configuration()) {
        Setting(
            "register", \.register,
            .text(
                "up to 64 of A-Z, a-z, 0-9, \".\", \"_\" and \"-\"",
                matching: .text(pattern: "^[A-Za-z0-9._-]{1,64}$")),
            "The name of this register in events and topics; without it, that of the host.")
        Setting("scanners", \.scanners, .scanners, "The scanners, and how each of them types.")
        Setting(
            "barcodes", \.barcodes, BarcodeDecoder.Settings.section.codec, "How codes are read.")
        Setting(
            "hide", \.hide, .hiddenContent,
            "The personal content that no event, sink or catalog gets.")
        Setting(
            "catalog", \.catalog, CatalogConfiguration.section.codec,
            "Where products are looked up.")
        Setting(
            "journal", \.journal, JournalSettings.section.codec,
            "Where events are kept; without it, there is a journal if listen or a sink needs one.")
        Setting(
            "listen", \.listen, ListenSettings.section.codec,
            "Where programs and pages on this box read events; without it, nowhere.")
        Setting("events", \.events, .sinks, "Where events go.")
    } check: { configuration, section in
        let names = configuration.scanners.map(\.name)
        let objections = configuration.events.lazy.compactMap { $0.settings.objection(to: names) }
        if let (expected, found) = objections.first {
            section["scanners"]?.report(expected: expected, found: found)
        }
    }

    /// The JSON Schema (draft 2020-12) of a configuration file.
    package static var schema: JSONValue {
        .object(SchemaWriter.document("The configuration of keywedge", of: section.codec))
    }
}

extension Codec<[ScannerConfiguration]> {
    fileprivate static let scanners = list(
        "a list of scanners such as [{name: counter}]", of: ScannerConfiguration.section.codec,
        nonEmpty: "at least one scanner"
    ) { _, scanners in
        reportRepeats(in: scanners, by: \.name) { item, name, first in
            let line = first["name"]?.tree.line ?? first.tree.line
            item["name"]?.report(
                expected: "a name that no other scanner has",
                found: "\(quoted: name), as on line \(line)")
        }
    }
}

extension Configuration {
    /// Reads and checks a configuration file; throws all of its mistakes.
    ///
    /// Relative paths in the file are relative to its folder. If `path` is a link, that is the folder of the link.
    package static func load(path: String) throws(ConfigurationError) -> Self {
        let folder = FileManager.default.currentDirectoryPath
        let absolute = path.hasPrefix("/") ? path : folder + "/" + path
        let context = ReadingContext(file: path, folder: Self.folder(of: absolute))
        let text = context.text(path: path)
        return try configuration(text ?? "", context)
    }

    /// Reads and checks the text of a configuration file; throws all of its mistakes.
    ///
    /// Messages name `file`; relative paths in the text are relative to its folder.
    package static func parse(text: String, file: String) throws(ConfigurationError) -> Self {
        try configuration(text, ReadingContext(file: file, folder: folder(of: file)))
    }

    private static func configuration(
        _ text: String, _ context: ReadingContext
    ) throws(ConfigurationError) -> Self {
        let tree = YAMLComposer.compose(withoutMark(text), context)
        try context.finish()
        guard let tree, !tree.isNull else { return .standard }
        let reader = ConfigurationReader(tree: tree, path: "", context: context)
        // Prices without a currency have this one, even if it comes after them in the file.
        context.currency = reader["catalog"]?["currency"]?.tree.text.flatMap {
            $0.isCurrency ? $0 : nil
        }
        let configuration = section.codec.read(reader)
        try context.finish()
        return configuration ?? .standard
    }

    /// Removes the byte order mark that some editors write.
    private static func withoutMark(_ text: String) -> String {
        guard text.unicodeScalars.first == "\u{FEFF}" else { return text }
        return String(text.unicodeScalars.dropFirst())
    }

    /// Returns the part of a path before its last slash.
    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

extension Configuration {
    /// The configuration with all its defaults as YAML that ``parse(text:file:)`` reads as the same value.
    ///
    /// Everything outside printable ASCII is escaped, so the text is safe to print.
    package var yaml: String { Self.section.codec.write(self)?.document ?? "" }

    /// The whole configuration with all its defaults as JSON, which is YAML as well.
    package var json: JSONValue { Self.section.codec.write(self)?.json ?? [:] }
}

/// One difference between two configurations.
package struct ConfigurationChange: Equatable, Sendable {
    package enum Kind: String, Sendable {
        case added
        case removed
        case changed
    }

    /// The key at the top of the file, such as `scanners`.
    package let section: String
    /// The scanner or sink; nil for the section as a whole.
    package let name: String?
    package let kind: Kind

    package init(_ section: String, _ name: String? = nil, _ kind: Kind = .changed) {
        self.section = section
        self.name = name
        self.kind = kind
    }
}

extension Configuration {
    /// Lists what changes from this configuration to a later one, in the order of the file.
    package func changes(to other: Self) -> [ConfigurationChange] {
        let sections = [
            ("barcodes", barcodes != other.barcodes), ("hide", hide != other.hide),
            ("catalog", catalog != other.catalog),
            ("journal", journalInUse != other.journalInUse), ("listen", listen != other.listen),
        ]
        return Self.changes("scanners", scanners, other.scanners, name: \.name)
            + sections.filter(\.1).map { ConfigurationChange($0.0) }
            + Self.changes("events", events, other.events, name: \.durableName)
    }

    /// Lists the keys of changed settings that a running daemon does not adopt, in the order of the
    /// file.
    package func keysForRestart(to other: Self) -> [String] {
        let keys = [
            ("register", register != other.register),
            ("journal.file", journalInUse?.file != other.journalInUse?.file),
            ("listen.socket", listen?.socket != other.listen?.socket),
            ("listen.http", listen?.http != other.listen?.http),
            (
                "listen.certificate_file",
                listen?.certificateFile != other.listen?.certificateFile
                    || listen?.keyFile != other.listen?.keyFile
            ),
            ("events: stdout and keyboard", immediateSinks != other.immediateSinks),
        ]
        return keys.filter(\.1).map(\.0)
    }

    /// The sinks without a cursor in the journal.
    private var immediateSinks: [SinkConfiguration] {
        events.filter { $0.durableName == nil }
    }

    /// Compares items by their names; if only their order differs, that is one change of the whole section.
    private static func changes<Item: Equatable>(
        _ section: String, _ former: [Item], _ latter: [Item], name: (Item) -> String?
    ) -> [ConfigurationChange] {
        func named(_ items: [Item]) -> [(name: String, item: Item)] {
            items.compactMap { item in name(item).map { ($0, item) } }
        }
        let (old, new) = (named(former), named(latter))
        let kept = new.compactMap { new -> ConfigurationChange? in
            guard let old = old.first(where: { $0.name == new.name }) else {
                return ConfigurationChange(section, new.name, .added)
            }
            return old.item == new.item ? nil : ConfigurationChange(section, new.name)
        }
        let removed = old.filter { old in !new.contains { $0.name == old.name } }
        let changes = kept + removed.map { ConfigurationChange(section, $0.name, .removed) }
        return changes.isEmpty && former != latter ? [ConfigurationChange(section)] : changes
    }
}
