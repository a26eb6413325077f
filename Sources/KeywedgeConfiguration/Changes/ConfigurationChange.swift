import EventService
import HTTPService
import Journal

/// One thing that is otherwise in another configuration.
package struct ConfigurationChange: Equatable, Sendable {
    /// What is otherwise.
    package enum Kind: String, Sendable {
        /// It is new.
        case added
        /// It is there no longer.
        case removed
        /// Its settings are others.
        case changed
    }

    /// The key at the top of the file, such as `scanners`.
    package let section: String
    /// Which scanner or sink; nil for the section as a whole.
    package let name: String?
    /// What is otherwise.
    package let kind: Kind

    /// Makes a change.
    ///
    /// - Parameters:
    ///   - section: The key at the top of the file.
    ///   - name: Which scanner or sink.
    ///   - kind: What is otherwise.
    package init(_ section: String, _ name: String? = nil, _ kind: Kind = .changed) {
        self.section = section
        self.name = name
        self.kind = kind
    }
}

extension Configuration {
    /// What is otherwise in another configuration, in the order of the file.
    ///
    /// - Parameter other: The other, that comes after this one.
    /// - Returns: The changes; none where both are the same.
    package func changes(to other: Self) -> [ConfigurationChange] {
        let scanners = Self.changes("scanners", named(scanners), named(other.scanners))
        var changes = scanners
        if scanners.isEmpty, self.scanners != other.scanners {
            changes.append(ConfigurationChange("scanners"))
        }
        if barcodes != other.barcodes { changes.append(ConfigurationChange("barcodes")) }
        if hide != other.hide { changes.append(ConfigurationChange("hide")) }
        if catalog != other.catalog { changes.append(ConfigurationChange("catalog")) }
        if journalInUse != other.journalInUse { changes.append(ConfigurationChange("journal")) }
        if listen != other.listen { changes.append(ConfigurationChange("listen")) }
        let sinks = Self.changes("events", named(events), named(other.events))
        changes += sinks
        if sinks.isEmpty, events != other.events { changes.append(ConfigurationChange("events")) }
        return changes
    }

    /// The settings of another configuration that only a daemon which starts anew takes.
    ///
    /// - Parameter other: The other, that comes after this one.
    /// - Returns: Their keys, in the order of the file.
    package func keysForRestart(to other: Self) -> [String] {
        var keys: [String] = []
        if journalInUse?.file != other.journalInUse?.file { keys.append("journal.file") }
        if listen?.socket != other.listen?.socket { keys.append("listen.socket") }
        if listen?.http != other.listen?.http { keys.append("listen.http") }
        let files = (listen?.certificateFile, listen?.keyFile)
        if files != (other.listen?.certificateFile, other.listen?.keyFile) {
            keys.append("listen.certificate_file")
        }
        if immediateSinks != other.immediateSinks { keys.append("events: stdout and keyboard") }
        return keys
    }

    /// The sinks that get events without the journal's cursor.
    private var immediateSinks: [SinkConfiguration] {
        events.filter { $0.durableName == nil }
    }

    private func named(_ scanners: [ScannerConfiguration]) -> [(String, ScannerConfiguration)] {
        scanners.map { ($0.name, $0) }
    }

    private func named(_ sinks: [SinkConfiguration]) -> [(String, SinkConfiguration)] {
        sinks.compactMap { sink in sink.durableName.map { ($0, sink) } }
    }

    private static func changes<Item: Equatable>(
        _ section: String, _ former: [(String, Item)], _ latter: [(String, Item)]
    ) -> [ConfigurationChange] {
        let removed = former.filter { old in !latter.contains { $0.0 == old.0 } }
        return latter.compactMap { name, item in
            guard let old = former.first(where: { $0.0 == name }) else {
                return ConfigurationChange(section, name, .added)
            }
            return old.1 == item ? nil : ConfigurationChange(section, name, .changed)
        } + removed.map { ConfigurationChange(section, $0.0, .removed) }
    }
}
