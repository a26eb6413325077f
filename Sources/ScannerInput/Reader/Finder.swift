internal import Glibc
internal import Keystrokes
import WireText

/// The loop that finds and claims scanners, passes them to the reader, and releases them.
///
/// The finder runs on its own thread and may block, because the kernel may need 50 ms to open a node. The reader must
/// not block, so it gets only nodes that are already open and claimed.
struct Finder {
    enum Message: Sendable {
        case reconfigure(ReaderConfiguration)
        /// The reader stopped reading a node because of this error, or because of a new configuration if the error is
        /// nil. The finder releases the device and then calls `then`.
        case returned(ClaimedNode, SystemCallError?, then: @Sendable () -> Void)
        /// Make the scanner with this name give a signal, but not after the time `until`.
        case signal(ScannerSignal, scanner: String, until: Int64)
    }

    /// An open node to claim at its deadline, or earlier once no key is down, so that other programs see all releases.
    struct Waiting {
        let path: String
        let device: any InputDevice
        var rule: SelectionVerdict.Rule
        let deadline: Int64
        var sawKeys = false
    }

    struct Claim {
        let path: String
        let device: DescribedDevice
        let serial: SerialSettings
        let signals: SignalLine?
        /// The sequence number of the claim; a new configuration is applied to older claims first.
        let order: Int
        var scanner: AttachedScanner
        var settings: ScanSettings
    }

    private enum Token {
        static let inbox = UInt64.max
        static let folder = UInt64.max - 1
    }

    var configuration: ReaderConfiguration
    var rules: SelectionRules
    let devices: any InputDevices
    private let inbox: Mailbox<Message>
    let reader: Mailbox<ReaderLoop.Message>
    let report: @Sendable (ReaderNotice) -> Void
    let poll: EventPoll
    let watch: FolderWatch
    var retries: NodeRetries
    var waiting: [dev_t: Waiting] = [:]
    var claims: [dev_t: Claim] = [:]
    var releasing: Set<dev_t> = []
    var claimCount = 0
    private var isFolderMissing = false

    init(
        _ configuration: ReaderConfiguration, devices: any InputDevices, inbox: Mailbox<Message>,
        reader: Mailbox<ReaderLoop.Message>, report: @escaping @Sendable (ReaderNotice) -> Void
    ) throws(SystemCallError) {
        self.configuration = configuration
        rules = configuration.rules
        self.devices = devices
        self.inbox = inbox
        self.reader = reader
        self.report = report
        retries = NodeRetries(
            permissionsTimeout: configuration.permissionsTimeout.wholeMicroseconds, report: report)
        poll = try EventPoll()
        watch = try FolderWatch(places: configuration.places)
        watch.watch(ports: rules.ports)
        try poll.add(inbox.descriptor, token: Token.inbox)
        try poll.add(watch.descriptor, token: Token.folder)
    }

    /// Finds and claims scanners until `isStopped` returns true.
    mutating func run(isStopped: () -> Bool) {
        lookAround()
        reportAbsence()
        while !isStopped() {
            let tokens = Array(poll.wait(milliseconds: timeout))
            guard !isStopped() else { break }
            for token in tokens {
                switch token {
                case Token.inbox: for message in inbox.receive() { receive(message) }
                case Token.folder: for change in watch.changes() { follow(change) }
                default: readWaiting(dev_t(token))
                }
            }
            keepTime()
        }
        for case .returned(let node, _, let then) in inbox.close() {
            node.device.release()
            then()
        }
    }

    private mutating func receive(_ message: Message) {
        switch message {
        case .reconfigure(let configuration): reconfigure(configuration)
        case .returned(let node, let error, let then):
            node.device.release()
            claims[node.number] = nil
            releasing.remove(node.number)
            then()
            if let error {
                retries.fail(node.path, error, scanner: "", at: MonotonicClock.now())
            }
            // Another device may have the path and the number by now.
            if error == nil || error?.errno == ENODEV { look(at: node.path) }
        case .signal(let signal, let scanner, let limit): give(signal, scanner, until: limit)
        }
    }

    /// Tells a scanner to give a signal, such as a beep, unless the time `limit` has passed.
    private func give(_ signal: ScannerSignal, _ scanner: String, until limit: Int64) {
        for (number, claim) in claims where claim.scanner.name == scanner {
            guard let line = claim.signals, line.canGive(signal), MonotonicClock.now() <= limit
            else { continue }
            reader.post(.expectAnswer(number))
            line.give(signal)
        }
    }

    private mutating func follow(_ change: FolderWatch.Change) {
        switch change {
        case .node(let path):
            if DeviceNodes.include(path, in: configuration.places, for: rules) { look(at: path) }
        case .everything: lookAround()
        }
    }

    private var timeout: Int32 {
        let deadlines = waiting.values.map(\.deadline) + [retries.deadline ?? .max]
        return EventPoll.milliseconds(from: MonotonicClock.now(), until: deadlines.min())
    }

    private mutating func keepTime() {
        let now = MonotonicClock.now()
        for (number, node) in waiting where node.deadline <= now { claim(number) }
        for path in retries.due(at: now) { look(at: path) }
    }
}

extension Finder {
    /// Examines all nodes that are not open, beginning with those that an earlier process left claimed.
    mutating func lookAround() {
        let paths = DeviceNodes.all(in: configuration.places, for: rules)
        reportMissingFolder()
        for path in retries.paths where !paths.contains(path) { retries.forget(path) }
        resumeScanners(paths)
        for path in paths { look(at: path) }
    }

    /// Reports once that the folder of event nodes is missing, if the rules allow keyboards as scanners.
    private mutating func reportMissingFolder() {
        let isMissing = rules.includeKeyboards && !watch.hasNodes
        if isMissing, !isFolderMissing { report(.folderMissing(configuration.places.nodes)) }
        isFolderMissing = isMissing
    }

    /// Claims a node if a rule makes it a scanner; a node that sysfs already rules out is not even opened.
    mutating func look(at path: String) {
        guard let number = devices.number(at: path) else { return retries.forget(path) }
        // A device may have several paths; a second claim would fail because of the first one.
        guard claims[number] == nil, waiting[number] == nil, !releasing.contains(number) else {
            return
        }
        retries.begin(path)
        let described = DescribedDevice(
            number: number, at: path, sysfs: configuration.places.sysfs)
        var serial = SerialSettings()
        var scanner: AttachedScanner?
        if let described {
            guard let rule = rule(described, number, path) else { return }
            serial = configuration.serial(of: rule)
            scanner = self.scanner(described, rule)
        } else if DeviceNodes.kind(of: path) != .event {
            return
        }
        do throws(SystemCallError) {
            try open(path, described, serial)
        } catch {
            retries.fail(path, error, scanner: scanner?.name, at: MonotonicClock.now())
        }
    }

    private mutating func open(
        _ path: String, _ described: DescribedDevice?, _ serial: SerialSettings
    ) throws(SystemCallError) {
        let device = try devices.open(path, as: described, serial: serial)
        retries.recordOpen(path)
        guard let rule = rule(device.described, device.number, path) else { return }
        try poll.add(device.descriptor, token: UInt64(device.number))
        let now = MonotonicClock.now()
        waiting[device.number] = Waiting(
            path: path, device: device, rule: rule,
            deadline: now.later(by: configuration.heldKeysTimeout.wholeMicroseconds))
        claim(device.number)
    }

    /// Returns the rule that makes a device a scanner, or records a refusal and returns nil.
    mutating func rule(
        _ device: DescribedDevice, _ number: dev_t, _ path: String
    ) -> SelectionVerdict.Rule? {
        switch verdict(device, number, path) {
        case .taken(let rule): return rule
        case .refused(let refusal):
            retries.refuse(path, name: device.identity.name, refusal)
            return nil
        }
    }

    func verdict(
        _ device: DescribedDevice, _ number: dev_t, _ path: String
    ) -> SelectionVerdict {
        rules.verdict(
            on: DeviceFacts(
                of: device, number: number, at: path, rules: rules, places: configuration.places,
                devices: devices))
    }

    func scanner(_ device: DescribedDevice, _ rule: SelectionVerdict.Rule) -> AttachedScanner {
        AttachedScanner(rule: rule, device, besides: claims.values.map(\.scanner))
    }

    private func reportAbsence() {
        guard claims.isEmpty, waiting.isEmpty else { return }
        report(
            .noScanner(
                configured: !configuration.scanners.isEmpty, forbidden: retries.forbidden))
        if configuration.scanners.isEmpty, !watch.hasDatabase {
            report(.databaseMissing(configuration.places.udevData))
        }
    }
}

extension Finder {
    /// Applies a new configuration to all nodes, as ``ScannerReader/reconfigure(_:)`` describes.
    mutating func reconfigure(_ other: ReaderConfiguration) {
        configuration.scanners = other.scanners
        configuration.automatic = other.automatic
        rules = configuration.rules
        watch.watch(ports: rules.ports)
        for (number, node) in waiting {
            if let rule = verdict(node.device.described, number, node.path).rule {
                waiting[number]?.rule = rule
            } else {
                poll.remove(node.device.descriptor)
                waiting[number] = nil
            }
        }
        var placed: [AttachedScanner] = []
        var plans: [dev_t: ReaderLoop.Plan?] = [:]
        for (number, claim) in claims.sorted(by: { $0.value.order < $1.value.order }) {
            // A port whose settings have changed must be opened again.
            guard let rule = verdict(claim.device, number, claim.path).rule,
                configuration.serial(of: rule) == claim.serial
            else {
                claims[number] = nil
                releasing.insert(number)
                plans[number] = .some(nil)
                continue
            }
            let scanner = AttachedScanner(rule: rule, claim.device, besides: placed)
            placed.append(scanner)
            let settings = configuration.settings(of: scanner)
            guard scanner != claim.scanner || settings != claim.settings else { continue }
            claims[number]?.scanner = scanner
            claims[number]?.settings = settings
            reportAnotherName(of: scanner, claim.path)
            plans[number] = ReaderLoop.Plan(
                scanner: scanner,
                assembler: InterfaceAssembler(claim.device.interface, settings: settings))
        }
        if !plans.isEmpty { reader.post(.move(plans)) }
        lookAround()
    }
}
