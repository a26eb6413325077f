import Barcodes
import EventService
import Journal
import ScannerInput
import Sinks
package import WireText

extension Configuration {
    static let section = Section("configuration", Configuration()) {
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
            """
            Where events are kept; on without being named where something reads it that outlives a \
            restart.
            """)
        Setting(
            "listen", \.listen, ListenSettings.section.codec,
            "Where programs and pages on this box read events; off unless it stands here.")
        Setting("events", \.events, .sinks, "Where events go.")
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
        var first: [String: ConfigurationReader] = [:]
        for (item, scanner) in scanners {
            guard let scanner, let place = item.child("name") else { continue }
            if let earlier = first[scanner.name] {
                let found: Phrase = "\(quoted: scanner.name), as on line \(earlier.tree.line)"
                place.report(expected: "a name that no other scanner has", found: found)
            } else {
                first[scanner.name] = place
            }
        }
    }
}
