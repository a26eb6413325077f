internal import Glibc
internal import Keystrokes
import WireText

/// Finds and claims scanners, passes them to the reader, and releases those it returns.
///
/// It runs on a thread of its own and may block: the kernel may take 50 ms to open a node. The
/// reader, which must not block, gets a node only when it is open and claimed.
struct Finder {
    enum Message: Sendable {
        /// Use another configuration from now on.
        case reconfigure(ReaderConfiguration)
        /// A node could not be read: its device is gone, or reading failed.
        case lost(ClaimedNode, SystemCallError)
        /// The reader has given up a node, as it was asked to. `then` is called once the device is
        /// released.
        case givenUp(ClaimedNode, then: @Sendable () -> Void)
    }

    /// An open node that is claimed once none of its keys is down.
    ///
    /// After the claim, other processes do not see a key's release: a console would believe for
    /// ever that the key is held.
    private struct Waiting {
        let path: String
        let device: any InputDevice
        var rule: SelectionVerdict.Rule
        let deadline: Int64
        var sawKeys = false
    }

    /// A node that the reader has.
    private struct Claim {
        let path: String
        let identity: DeviceIdentity
        let keys: KeyCapabilities
        /// The number of the claim; a new configuration judges claims in this order.
        let order: Int
        var scanner: AttachedScanner
        var settings: ScanSettings
    }

    private enum Token {
        static let inbox = UInt64.max
        static let folder = UInt64.max - 1
    }

    private var configuration: ReaderConfiguration
    private var rules: SelectionRules
    private let devices: any InputDevices
    private let inbox: Mailbox<Message>
    private let reader: Mailbox<ReaderLoop.Message>
    private let report: @Sendable (ReaderNotice) -> Void
    private let poll: EventPoll
    private let watch: FolderWatch
    private var retries: NodeRetries
    private var waiting: [dev_t: Waiting] = [:]
    private var claims: [dev_t: Claim] = [:]
    /// The nodes that the reader was asked to give up.
    private var releasing: Set<dev_t> = []
    private var claimCount = 0

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
        try poll.add(inbox.descriptor, token: Token.inbox)
        try poll.add(watch.descriptor, token: Token.folder)
    }

    /// Finds scanners until it is stopped.
    ///
    /// Nodes that the reader has at that moment stay with the reader.
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
                default: read(dev_t(token))
                }
            }
            keepTime()
        }
        for case .givenUp(let node, let then) in inbox.close() {
            node.device.release()
            then()
        }
    }

    private mutating func receive(_ message: Message) {
        switch message {
        case .reconfigure(let configuration): reconfigure(configuration)
        case .givenUp(let node, let then):
            node.device.release()
            then()
            releasing.remove(node.number)
            look(at: node.path)
        case .lost(let node, let error):
            node.device.release()
            claims[node.number] = nil
            releasing.remove(node.number)
            retries.fail(node.path, error, scanner: "", at: MonotonicClock.now())
            // Another device may have the path and the number by now.
            if error.errno == ENODEV { look(at: node.path) }
        }
    }

    private mutating func follow(_ change: FolderWatch.Change) {
        switch change {
        case .node(let name):
            if EventNodes.number(in: name) != nil {
                look(at: configuration.places.nodes + "/" + name)
            }
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

/// Looking at nodes.
extension Finder {
    /// Looks at every node that is not open.
    ///
    /// Nodes that an earlier process left come first, since their keys wait in the kernel. All
    /// nodes of one scanner go to the reader together, so that it can order their keys.
    mutating func lookAround() {
        let paths = EventNodes.all(in: configuration.places.nodes)
        if paths.isEmpty, !watch.hasNodes { report(.folderMissing(configuration.places.nodes)) }
        for path in retries.paths where !paths.contains(path) { retries.forget(path) }
        resumeScanners(paths)
        for path in paths { look(at: path) }
    }

    /// Looks at a node that is not open, and claims it if a rule makes it a scanner.
    ///
    /// A refused device is not opened if sysfs describes it.
    mutating func look(at path: String) {
        guard let number = devices.number(at: path) else { return retries.forget(path) }
        // The same device may have another name: a second claim would fail at our own.
        guard claims[number] == nil, waiting[number] == nil, !releasing.contains(number) else {
            return
        }
        retries.begin(path)
        let described = DescribedDevice(number: number, sysfs: configuration.places.sysfs)
        if let described, rule(described.identity, described.keys, number, path) == nil { return }
        do throws(SystemCallError) {
            try open(path, number)
        } catch {
            retries.fail(
                path, error, scanner: described == nil ? nil : "", at: MonotonicClock.now())
        }
    }

    private mutating func open(_ path: String, _ number: dev_t) throws(SystemCallError) {
        let device = try devices.open(path)
        retries.recordOpen(path)
        guard let rule = rule(device.identity, device.keys, device.number, path) else { return }
        try poll.add(device.descriptor, token: UInt64(device.number))
        let now = MonotonicClock.now()
        waiting[device.number] = Waiting(
            path: path, device: device, rule: rule,
            deadline: now.later(by: configuration.heldKeysTimeout.wholeMicroseconds))
        claim(device.number)
    }

    /// The rule that makes a device a scanner; nil if no rule does.
    private mutating func rule(
        _ identity: DeviceIdentity, _ keys: KeyCapabilities, _ number: dev_t, _ path: String
    ) -> SelectionVerdict.Rule? {
        switch verdict(identity, keys, number, path) {
        case .taken(let rule): return rule
        case .refused(let refusal):
            retries.refuse(path, name: identity.name, refusal)
            return nil
        }
    }

    private func verdict(
        _ identity: DeviceIdentity, _ keys: KeyCapabilities, _ number: dev_t, _ path: String
    ) -> SelectionVerdict {
        rules.verdict(
            on: DeviceFacts(
                of: identity, keys, number: number, at: path, rules: rules,
                places: configuration.places, devices: devices))
    }

    private func reportAbsence() {
        guard claims.isEmpty, waiting.isEmpty else { return }
        report(
            .noScanner(
                configured: !configuration.scanners.isEmpty, forbidden: retries.forbiddenCount))
    }
}

/// Claiming.
extension Finder {
    /// Reads an open node that is not claimed yet; other processes receive its keys too.
    private mutating func read(_ number: dev_t) {
        guard var node = waiting[number] else { return }
        do throws(SystemCallError) {
            _ = try node.device.read(limit: configuration.eventsInATurn) { event in
                // A key that is only held repeats.
                if event.type == InputEventType.key, event.value != 2 { node.sawKeys = true }
            }
            waiting[number] = node
            claim(number)
        } catch {
            close(number, error)
        }
    }

    /// Claims an open node once none of its keys is down, or when it has waited long enough.
    private mutating func claim(_ number: dev_t) {
        guard let node = waiting[number] else { return }
        let isKeyDown = !node.device.heldKeys.isEmpty
        guard !isKeyDown || node.deadline <= MonotonicClock.now() else {
            return retries.report(.waitingForHeldKeys(node: node.path), of: node.path)
        }
        do throws(SystemCallError) {
            try node.device.claim()
        } catch {
            return close(number, error)
        }
        poll.remove(node.device.descriptor)
        waiting[number] = nil
        configuration.handover?.keep(Handover.name(of: number), node.device.descriptor)
        if isKeyDown { report(.claimedWithKeyHeld(node: node.path)) }
        let claimed = ClaimedNode(
            path: node.path, device: node.device, origin: .claimed(sawKeys: node.sawKeys),
            heldKeys: node.device.heldKeys)
        reader.post(.read([claimed], plan(for: claimed, node.rule)))
    }

    private mutating func close(_ number: dev_t, _ error: SystemCallError) {
        guard let node = waiting.removeValue(forKey: number) else { return }
        poll.remove(node.device.descriptor)
        let scanner = AttachedScanner(
            rule: node.rule, identity: node.device.identity, besides: claims.values.map(\.scanner))
        retries.fail(node.path, error, scanner: scanner.name, at: MonotonicClock.now())
        // Another device may have the path by now.
        if error.errno == ENODEV { look(at: node.path) }
    }

    /// Records the claim; returns the scanner for which the reader reads the node.
    private mutating func plan(
        for node: ClaimedNode, _ rule: SelectionVerdict.Rule
    ) -> ReaderLoop.Plan {
        let identity = node.device.identity
        let scanner = AttachedScanner(
            rule: rule, identity: identity, besides: claims.values.map(\.scanner))
        let settings = configuration.settings(of: scanner)
        claims[node.number] = Claim(
            path: node.path, identity: identity, keys: node.device.keys, order: claimCount,
            scanner: scanner, settings: settings)
        claimCount += 1
        retries.forget(node.path)
        reportAnotherName(of: scanner, node.path)
        return ReaderLoop.Plan(scanner: scanner, assembler: ScanAssembler(settings: settings))
    }

    private func reportAnotherName(of scanner: AttachedScanner, _ path: String) {
        guard let configured = scanner.configuredName, configured != scanner.name else { return }
        report(.anotherDevice(node: path, scanner: configured, name: scanner.name))
    }
}

/// Changing the configuration.
extension Finder {
    /// Judges every claimed node again.
    ///
    /// A scanner whose settings stay the same is read without interruption, even in the middle of a
    /// scan; any other starts afresh or is released.
    private mutating func reconfigure(_ other: ReaderConfiguration) {
        configuration.scanners = other.scanners
        configuration.automatic = other.automatic
        rules = configuration.rules
        for (number, node) in waiting {
            let verdict = verdict(node.device.identity, node.device.keys, number, node.path)
            waiting[number]?.rule = verdict.rule ?? node.rule
            guard verdict.rule == nil else { continue }
            poll.remove(node.device.descriptor)
            waiting[number] = nil
        }
        var placed: [AttachedScanner] = []
        var plans: [dev_t: ReaderLoop.Plan?] = [:]
        for (number, claim) in claims.sorted(by: { $0.value.order < $1.value.order }) {
            let verdict = verdict(claim.identity, claim.keys, number, claim.path)
            guard let rule = verdict.rule else {
                claims[number] = nil
                releasing.insert(number)
                plans[number] = .some(nil)
                continue
            }
            let scanner = AttachedScanner(rule: rule, identity: claim.identity, besides: placed)
            placed.append(scanner)
            let settings = configuration.settings(of: scanner)
            guard scanner != claim.scanner || settings != claim.settings else { continue }
            claims[number]?.scanner = scanner
            claims[number]?.settings = settings
            reportAnotherName(of: scanner, claim.path)
            plans[number] = ReaderLoop.Plan(
                scanner: scanner, assembler: ScanAssembler(settings: settings))
        }
        if !plans.isEmpty { reader.post(.move(plans)) }
        lookAround()
    }
}

/// Resuming the nodes that an earlier process left.
extension Finder {
    /// Resumes the scanners that an earlier process left claimed; gives up other descriptors.
    private mutating func resumeScanners(_ paths: [String]) {
        guard configuration.handover?.nodes.isEmpty == false else { return }
        var scanners: [(plan: ReaderLoop.Plan, nodes: [ClaimedNode])] = []
        for path in paths {
            guard let number = devices.number(at: path), let handover = configuration.handover,
                handover.has(number), let (node, rule) = resumed(number, path)
            else { continue }
            let plan = plan(for: node, rule)
            if let index = scanners.firstIndex(where: { $0.plan.scanner == plan.scanner }) {
                scanners[index].nodes.append(node)
            } else {
                scanners.append((plan, [node]))
            }
        }
        for scanner in scanners { reader.post(.read(scanner.nodes, scanner.plan)) }
        for node in configuration.handover?.nodes ?? [] { node.giveUp() }
        configuration.handover?.nodes = []
    }

    /// Resumes one node; nil if it is not a scanner, or if the descriptor left for it is unusable.
    private mutating func resumed(
        _ number: dev_t, _ path: String
    ) -> (ClaimedNode, SelectionVerdict.Rule)? {
        guard let device = try? devices.open(path), device.number == number,
            let rule = rule(device.identity, device.keys, number, path),
            let left = configuration.handover?.remove(number)
        else { return nil }
        let heldNow = device.heldKeys
        guard device.resume(from: left.descriptor) else {
            left.giveUp()
            return nil
        }
        var events: [KeyEvent] = []
        do throws(SystemCallError) {
            while try device.read(limit: configuration.eventsInATurn, { events.append($0) }) {}
        } catch {
            // The reader meets the same error, and reports it.
        }
        return (
            ClaimedNode(
                path: path, device: device, origin: .resumed(left.rest), pending: events,
                heldKeys: events.keysDownBefore(now: heldNow)), rule
        )
    }
}

extension [KeyEvent] {
    /// The keys that were down before these events, if `now` are those that are down after them.
    func keysDownBefore(now: [KeyCode]) -> [KeyCode] {
        let keys = prefix { $0.type != InputEventType.syn || $0.code != SynCode.dropped }
            .filter { $0.type == InputEventType.key }
        var first: [UInt16: Int32] = [:]
        for key in keys where first[key.code] == nil { first[key.code] = key.value }
        let cameUp = first.filter { $0.value != 1 }.keys.sorted().map(KeyCode.init(rawValue:))
        return cameUp + now.filter { first[$0.rawValue] == nil }
    }
}
