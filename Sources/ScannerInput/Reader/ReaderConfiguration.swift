package import Keystrokes

package struct ReaderConfiguration: Sendable {
    /// A function that the reader's thread calls at intervals, to show a watchdog that it is alive.
    package struct Heartbeat: Sendable {
        package var interval: Duration
        /// The function that the reader's thread calls once per ``interval``; it must not block.
        package var beat: @Sendable () -> Void

        package init(interval: Duration, beat: @escaping @Sendable () -> Void) {
            self.interval = interval
            self.beat = beat
        }
    }

    /// The configured scanners; without any, the reader finds scanners automatically, as ``SelectionRules``
    /// describes.
    package var scanners: [ConfiguredScanner]
    /// The settings for every scanner if no scanner is configured.
    package var automatic: ScanSettings
    package var places: DevicePlaces
    /// The function to call at intervals; if it is nil, an idle reader never wakes up.
    package var heartbeat: Heartbeat?
    /// How to keep scanners claimed after the process ends; nil to release them.
    package var handover: Handover?
    /// How long to wait for the release of held keys before claiming a scanner anyway.
    var heldKeysTimeout = Duration.seconds(2)
    /// The maximum number of events to read from one device before the others get their turn.
    var eventsInATurn = 1024
    /// How long udev may take to set a node's permissions before missing permissions are reported.
    var permissionsTimeout = Duration.seconds(2)

    package init(
        scanners: [ConfiguredScanner] = [], automatic: ScanSettings = ScanSettings(),
        places: DevicePlaces = DevicePlaces()
    ) {
        self.scanners = scanners
        self.automatic = automatic
        self.places = places
    }

    package var rules: SelectionRules { SelectionRules(configured: scanners) }

    func settings(of scanner: AttachedScanner) -> ScanSettings {
        scanners.first { $0.name == scanner.configuredName }?.settings ?? automatic
    }

    func serial(of rule: SelectionVerdict.Rule) -> SerialSettings {
        guard case .configured(let name) = rule else { return SerialSettings() }
        return scanners.first { $0.name == name }?.serial ?? SerialSettings()
    }
}
