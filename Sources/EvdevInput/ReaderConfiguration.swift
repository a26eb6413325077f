public import Keystrokes

/// What a reader is to read.
public struct ReaderConfiguration: Sendable {
    /// A configured scanner.
    public struct ConfiguredScanner: Sendable {
        /// Its name; unique.
        public var name: String
        /// Which device it is.
        public var match: DeviceMatch
        /// How it types.
        public var settings: ScanSettings

        /// Makes a configured scanner.
        ///
        /// - Parameters:
        ///   - name: Its name.
        ///   - match: Which device it is.
        ///   - settings: How it types.
        public init(name: String, match: DeviceMatch, settings: ScanSettings) {
            self.name = name
            self.match = match
            self.settings = settings
        }
    }

    /// Something to be done on the reader's thread at intervals, for a watchdog.
    public struct Heartbeat: Sendable {
        /// How often.
        public var interval: Duration
        /// What to do; it must not wait for anything.
        public var beat: @Sendable () -> Void

        /// Makes a heartbeat.
        ///
        /// - Parameters:
        ///   - interval: How often.
        ///   - beat: What to do; it must not wait for anything.
        public init(interval: Duration, beat: @escaping @Sendable () -> Void) {
            self.interval = interval
            self.beat = beat
        }
    }

    /// The configured scanners; none to take what a udev rule marked or a known maker made.
    public var scanners: [ConfiguredScanner]
    /// How scanners type that are taken although none is configured.
    public var automatic: ScanSettings
    /// How many scans and rejections of one scanner are kept for a consumer that does not read.
    public var queueCapacity: Int
    /// What to do at intervals; nil for nothing, and then an idle reader never wakes up.
    public var heartbeat: Heartbeat?
    /// How long to wait for held keys to come up before grabbing all the same.
    public var patienceForHeldKeys: Duration
    /// Where the event nodes and udev's database are.
    public var places: DevicePlaces
    /// How many events of one device are read before the others have their turn.
    var eventsInATurn = 1024
    /// How long udev may take to set the permissions of a node before that is worth a word.
    var patienceForPermissions = Duration.seconds(2)

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - scanners: The configured scanners.
    ///   - automatic: How scanners type that are taken although none is configured.
    ///   - queueCapacity: How many scans and rejections of one scanner are kept for a consumer that
    ///     does not read.
    ///   - heartbeat: What to do at intervals.
    ///   - patienceForHeldKeys: How long to wait for held keys to come up.
    ///   - places: Where the event nodes and udev's database are.
    public init(
        scanners: [ConfiguredScanner] = [], automatic: ScanSettings = ScanSettings(),
        queueCapacity: Int = 4096, heartbeat: Heartbeat? = nil,
        patienceForHeldKeys: Duration = .seconds(2), places: DevicePlaces = DevicePlaces()
    ) {
        self.scanners = scanners
        self.automatic = automatic
        self.queueCapacity = queueCapacity
        self.heartbeat = heartbeat
        self.patienceForHeldKeys = patienceForHeldKeys
        self.places = places
    }

    /// The rules that decide which devices are taken.
    public var rules: SelectionRules {
        SelectionRules(configured: scanners.map { .init(name: $0.name, match: $0.match) })
    }
}

/// Where the kernel and udev keep what the reader looks at.
public struct DevicePlaces: Hashable, Sendable {
    /// The folder of the event nodes.
    public var nodes: String
    /// The folder of udev's database.
    public var udevData: String
    /// Where sysfs is.
    public var sysfs: String

    /// Makes places; the defaults are those of every Linux distribution.
    ///
    /// - Parameters:
    ///   - nodes: The folder of the event nodes.
    ///   - udevData: The folder of udev's database.
    ///   - sysfs: Where sysfs is.
    public init(
        nodes: String = "/dev/input", udevData: String = "/run/udev/data", sysfs: String = "/sys"
    ) {
        self.nodes = nodes
        self.udevData = udevData
        self.sysfs = sysfs
    }
}
