package import Keystrokes

/// Which scanners a reader reads, and how.
package struct ReaderConfiguration: Sendable {
    /// Something to do on the reader's thread at intervals, for a watchdog.
    package struct Heartbeat: Sendable {
        package var interval: Duration
        /// Called at each interval; it must not block.
        package var beat: @Sendable () -> Void

        package init(interval: Duration, beat: @escaping @Sendable () -> Void) {
            self.interval = interval
            self.beat = beat
        }
    }

    /// The configured scanners.
    ///
    /// Without any, the reader reads devices that a udev rule marked or that a known maker made.
    package var scanners: [ConfiguredScanner]
    /// How scanners type if none is configured.
    package var automatic: ScanSettings
    /// How many scans and rejections of one scanner are kept for a consumer that does not read.
    package var queueCapacity: Int
    /// Without one, an idle reader never wakes up.
    package var heartbeat: Heartbeat?
    /// How long to wait for the release of held keys before claiming a scanner anyway.
    package var heldKeysTimeout: Duration
    package var places: DevicePlaces
    /// Keeps scanners claimed after the process ends, if given.
    package var handover: Handover?
    /// How many events of one device are read before the others have their turn.
    var eventsInATurn = 1024
    /// How long udev may take to set the permissions of a node before that is reported.
    var permissionsTimeout = Duration.seconds(2)

    package init(
        scanners: [ConfiguredScanner] = [], automatic: ScanSettings = ScanSettings(),
        queueCapacity: Int = 4096, heartbeat: Heartbeat? = nil,
        heldKeysTimeout: Duration = .seconds(2), places: DevicePlaces = DevicePlaces()
    ) {
        self.scanners = scanners
        self.automatic = automatic
        self.queueCapacity = queueCapacity
        self.heartbeat = heartbeat
        self.heldKeysTimeout = heldKeysTimeout
        self.places = places
    }

    /// The rules that decide which devices are scanners.
    package var rules: SelectionRules { SelectionRules(configured: scanners) }

    /// How a scanner types.
    func settings(of scanner: AttachedScanner) -> ScanSettings {
        scanners.first { $0.name == scanner.configuredName }?.settings ?? automatic
    }
}
