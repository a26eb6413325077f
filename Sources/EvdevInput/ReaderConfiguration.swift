package import Keystrokes

/// What a reader is to read.
package struct ReaderConfiguration: Sendable {
    /// A configured scanner.
    package struct ConfiguredScanner: Sendable {
        /// Its name; unique.
        package var name: String
        /// Which device it is.
        package var match: DeviceMatch
        /// How it types.
        var typing: PreparedAssembler

        package init(name: String, match: DeviceMatch, settings: ScanSettings) {
            self.name = name
            self.match = match
            typing = PreparedAssembler(settings)
        }
    }

    /// Something to be done on the reader's thread at intervals, for a watchdog.
    package struct Heartbeat: Sendable {
        /// How often.
        package var interval: Duration
        /// What to do; it must not wait for anything.
        package var beat: @Sendable () -> Void

        package init(interval: Duration, beat: @escaping @Sendable () -> Void) {
            self.interval = interval
            self.beat = beat
        }
    }

    /// The configured scanners; none to take what a udev rule marked or a known maker made.
    package var scanners: [ConfiguredScanner]
    /// How scanners type that are taken although none is configured.
    var automatic: PreparedAssembler
    /// How many scans and rejections of one scanner are kept for a consumer that does not read.
    package var queueCapacity: Int
    /// What to do at intervals; nil for nothing, and then an idle reader never wakes up.
    package var heartbeat: Heartbeat?
    /// How long to wait for held keys to come up before grabbing all the same.
    package var heldKeysTimeout: Duration
    /// Where the event nodes and udev's database are.
    package var places: DevicePlaces
    /// What keeps scanners grabbed beyond the end of the process; nil for nothing.
    package var handover: Handover?
    /// How many events of one device are read before the others have their turn.
    var eventsInATurn = 1024
    /// How long udev may take to set the permissions of a node before that is worth a word.
    var permissionsTimeout = Duration.seconds(2)

    package init(
        scanners: [ConfiguredScanner] = [], automatic: ScanSettings = ScanSettings(),
        queueCapacity: Int = 4096, heartbeat: Heartbeat? = nil,
        heldKeysTimeout: Duration = .seconds(2), places: DevicePlaces = DevicePlaces()
    ) {
        self.scanners = scanners
        self.automatic = PreparedAssembler(automatic)
        self.queueCapacity = queueCapacity
        self.heartbeat = heartbeat
        self.heldKeysTimeout = heldKeysTimeout
        self.places = places
    }

    /// The same, with the assemblers of another where a scanner's settings are equal.
    func sharing(_ other: Self) -> Self {
        var shared = self
        shared.automatic = automatic.sharing(other.automatic)
        for (index, scanner) in scanners.enumerated() {
            guard let same = other.scanners.first(where: { $0.name == scanner.name }) else {
                continue
            }
            shared.scanners[index].typing = scanner.typing.sharing(same.typing)
        }
        return shared
    }

    /// The rules that decide which devices are taken.
    package var rules: SelectionRules {
        SelectionRules(configured: scanners.map { .init(name: $0.name, match: $0.match) })
    }
}

/// Where the kernel and udev keep what the reader looks at.
package struct DevicePlaces: Hashable, Sendable {
    /// The folder of the event nodes.
    package var nodes: String
    /// The folder of udev's database.
    package var udevData: String
    /// Where sysfs is.
    package var sysfs: String

    /// Makes places; the defaults are those of every Linux distribution.
    ///
    /// - Parameters:
    ///   - nodes: The folder of the event nodes.
    ///   - udevData: The folder of udev's database.
    ///   - sysfs: Where sysfs is.
    package init(
        nodes: String = "/dev/input", udevData: String = "/run/udev/data", sysfs: String = "/sys"
    ) {
        self.nodes = nodes
        self.udevData = udevData
        self.sysfs = sysfs
    }
}
