package import Barcodes
package import EventService
import Foundation
import HTTPService
package import Journal
import ScannerInput
package import WireText

/// The settings in a configuration file, with defaults for settings that the file leaves out.
///
/// ``parse(text:file:)`` and ``load(path:)`` check every value; a configuration made in code is not checked.
package struct Configuration: Equatable, Sendable {
    /// The name of this register; nil to use the host's name.
    package var register: String?
    /// The scanners, in the order of the file: at least one, each with a unique name.
    package var scanners = [ScannerConfiguration(name: "default")]
    package var barcodes = BarcodeDecoder.Settings()
    package var hide = HiddenContent()
    package var catalog = CatalogConfiguration()
    /// The journal settings in the file, if any; the daemon uses ``journalInUse`` instead.
    package var journal: JournalSettings?
    /// Where the daemon's HTTP interface listens; nil to disable the interface.
    package var listen: ListenSettings?
    package var events = [SinkConfiguration(StandardOutputConfiguration())]

    /// The journal settings that the daemon uses; nil if it keeps no journal.
    package var journalInUse: JournalSettings? {
        let isRead = listen != nil || events.contains { $0.settings.readsJournal }
        return journal ?? (isRead ? JournalSettings() : nil)
    }

    /// The configuration of an empty file: the built-in defaults.
    package static let standard = Self()

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
            "Kinds of personal content to hide from events, sinks and catalogs.")
        Setting(
            "catalog", \.catalog, CatalogConfiguration.section.codec,
            "Where products are looked up.")
        Setting(
            "journal", \.journal, JournalSettings.section.codec,
            "Where events are kept; without it, there is a journal if listen or a sink needs one.")
        Setting(
            "listen", \.listen, ListenSettings.section.codec,
            "Where the daemon serves events to programs and pages; off by default.")
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
    /// Reads and checks a configuration file; throws an error that lists all mistakes in the file.
    ///
    /// Relative paths in the file are resolved against the folder of `path`, even if `path` is a symbolic link.
    package static func load(path: String) throws(ConfigurationError) -> Self {
        let start = path.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath + "/"
        let context = ReadingContext(file: path, folder: folder(of: start + path))
        return try configuration(try context.text(path: path) ?? "", context)
    }

    /// Reads and checks the text of a configuration file; throws an error that lists all mistakes in the text.
    ///
    /// `file` is the file's name in messages. Relative paths in the text are resolved against its folder.
    package static func parse(text: String, file: String) throws(ConfigurationError) -> Self {
        try configuration(text, ReadingContext(file: file, folder: folder(of: file)))
    }

    private static func configuration(
        _ text: String, _ context: ReadingContext
    ) throws(ConfigurationError) -> Self {
        // Some editors write a byte order mark at the start.
        let text = String(text.unicodeScalars.trimmingPrefix(["\u{FEFF}"]))
        let tree = YAMLComposer.compose(text, context)
        try context.finish()
        guard let tree, !tree.isNull else { return .standard }
        let reader = ConfigurationReader(tree: tree, path: "", context: context)
        // Read the default currency first, because prices may precede it in the file.
        context.currency = reader["catalog"]?["currency"]?.tree.text.flatMap {
            $0.isCurrency ? $0 : nil
        }
        let configuration = section.codec.read(reader)
        try context.finish()
        return configuration ?? .standard
    }

    /// Returns the folder part of a path; empty for a file name without a folder.
    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The configuration as YAML, including all defaults; ``parse(text:file:)`` turns it into an equal configuration.
    ///
    /// All characters outside printable ASCII are escaped, so the text is safe to print on a terminal.
    package var yaml: String { Self.section.codec.write(self)?.document ?? "" }

    /// The configuration as JSON, including all defaults; the JSON is also valid YAML.
    package var json: JSONValue { Self.section.codec.write(self)?.json ?? [:] }
}

package struct ConfigurationChange: Equatable, Sendable {
    package enum Kind: String, Sendable {
        case added
        case removed
        case changed
    }

    /// The top-level key in the file, such as `scanners`.
    package let section: String
    /// The name of the scanner or sink; nil if the change concerns the entire section.
    package let name: String?
    package let kind: Kind

    package init(_ section: String, _ name: String? = nil, _ kind: Kind = .changed) {
        self.section = section
        self.name = name
        self.kind = kind
    }
}

extension Configuration {
    /// Returns the changes from this configuration to `other`, in the order of the sections in the file.
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

    /// Returns the keys of settings that differ in `other` and need a restart of the daemon.
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

    /// The sinks without a cursor in the journal: stdout and keyboard.
    private var immediateSinks: [SinkConfiguration] {
        events.filter { $0.durableName == nil }
    }

    /// Compares two lists of items by name, and returns the items that were added, changed or removed.
    ///
    /// If the lists differ only in their order or in items without a name, the entire section counts as changed.
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
