internal import Glibc
internal import Keystrokes
import WireText

/// How nodes become scanners and cease to be.
extension ReaderLoop {
    /// Looks at a node that is not open, and takes it where a rule says so.
    ///
    /// What a rule refuses is not opened, as far as sysfs tells what it is.
    mutating func examine(_ node: ReaderNode) {
        let number = EventNodes.device(at: node.path)
        guard !isOpen(node, as: number) else { return }
        node.backoff.tries()
        if node.known?.number != number {
            node.known = number.flatMap {
                KnownDevice(number: $0, sysfs: configuration.places.sysfs)
            }
        }
        if let known = node.known, case .refused(let refusal) = verdict(on: node, known) {
            node.forbidden = nil
            return refuse(node, known, refusal)
        }
        open(node)
    }

    private mutating func open(_ node: ReaderNode) {
        do throws(SystemCallError) {
            let device = try InputNode(path: node.path, closer: closer)
            node.forbidden = nil
            let known = KnownDevice(of: device)
            node.known = known
            switch verdict(on: node, known) {
            case .taken(let rule):
                let left = configuration.handover?.take(device.number)
                let scanner = AttachedScanner(rule: rule, identity: known.identity)
                take(node, device, scanner, left.flatMap { goOn(with: $0, on: device) })
            case .refused(let refusal): refuse(node, known, refusal)
            }
        } catch {
            refuse(node, error)
        }
    }

    /// Whether the node is open already; one that has become another device is given up first.
    private mutating func isOpen(_ node: ReaderNode, as number: dev_t?) -> Bool {
        if let device = node.device {
            guard let number, number != device.number else { return true }
            detach(node, .unplugged, at: MonotonicClock.now())
        }
        // The same device under another name: a second grab would meet our own.
        return number != nil && open.values.contains { $0.device?.number == number }
    }

    /// What the rules say, and the place of the scanner, which another device may have.
    func verdict(on node: ReaderNode, _ known: KnownDevice) -> SelectionVerdict {
        let facts = DeviceFacts(
            of: known, at: node.path, rules: rules, places: configuration.places)
        let verdict = rules.verdict(on: facts)
        guard let rule = verdict.rule else { return verdict }
        let scanner = AttachedScanner(rule: rule, identity: known.identity)
        guard let holder = holder(ofPlaceOf: scanner),
            !holder.scanner.identity.isSameHardware(as: known.identity)
        else { return verdict }
        let other = holder.members.first?.path ?? ""
        return .refused(.duplicate(scanner: scanner.name, of: other))
    }

    func holder(ofPlaceOf scanner: AttachedScanner) -> HeldScanner? {
        scanners.first { $0.scanner.isSamePlace(as: scanner) }
    }

    /// Has a device read from the descriptor that another process has left.
    ///
    /// - Returns: What was left; nil where that is of no use.
    private func goOn(with left: Handover.Node, on device: InputNode) -> Handover.Node? {
        if device.goOn(with: left.descriptor) { return left }
        configuration.handover?.giveUp(left)
        return nil
    }

    private mutating func take(
        _ node: ReaderNode, _ device: InputNode, _ scanner: AttachedScanner, _ left: Handover.Node?
    ) {
        let now = MonotonicClock.now()
        let holder = holder(ofPlaceOf: scanner)
        guard watchEvents(of: node, device) else { return }
        let held =
            holder
            ?? HeldScanner(
                scanner, typing: typing(of: scanner), queue: scannerQueue(of: scanner.name))
        if holder == nil { scanners.append(held) }
        held.add(node)
        node.scanner = held
        if let left {
            node.keptAs = left.name
            node.backoff.succeeded()
            guard let rest = left.rest else { return held.goesOnBlindly(at: now) }
            if holder == nil { held.goOn(from: rest) }
            return
        }
        node.gate = GrabGate(at: now, timeout: configuration.heldKeysTimeout.wholeMicroseconds)
        held.startedBeforeGrab(at: now)
        pass(node, at: now)
    }

    private mutating func watchEvents(of node: ReaderNode, _ device: InputNode) -> Bool {
        do throws(SystemCallError) {
            try poll.add(device.descriptor, token: nextToken)
        } catch {
            retry(node, .failed(error))
            return false
        }
        node.device = device
        node.token = nextToken
        open[nextToken] = node
        nextToken += 1
        return true
    }

    func typing(of scanner: AttachedScanner) -> PreparedAssembler {
        scanner.index.map { configuration.scanners[$0].typing } ?? configuration.automatic
    }

    /// Grabs a node as soon as that may be.
    mutating func pass(_ node: ReaderNode, at now: Int64) {
        guard let gate = node.gate, let device = node.device else { return }
        let step = gate.step(at: now, isAnyKeyDown: device.isAnyKeyDown)
        guard step != .wait else {
            say(.waitingForHeldKeys(node: node.path), of: node)
            return
        }
        do throws(SystemCallError) {
            try device.grab()
            node.gate = nil
            if let handover = configuration.handover {
                let name = Handover.name(of: device.number)
                handover.keep(name, device.descriptor)
                node.keptAs = name
            }
            node.backoff.succeeded()
            node.lastNotice = nil
            if step == .grabWithKeyHeld { say(.grabbedWithKeyHeld(node: node.path)) }
            node.scanner?.startedBeforeGrab(at: now)
        } catch {
            lose(node, error)
        }
    }

    /// A call on an open node failed.
    mutating func lose(_ node: ReaderNode, _ error: SystemCallError) {
        let now = MonotonicClock.now()
        let name = node.scanner?.scanner.name ?? ""
        switch error.errno {
        case ENODEV:
            detach(node, .unplugged, at: now)
            nodes[node.path] = nil
            // Another device may have come under its name and number, and been taken for it.
            if EventNodes.device(at: node.path) != nil { queue(node.path) }
        case EBUSY:
            detach(node, .failed(error), at: now)
            retry(node, .grabbedElsewhere(node: node.path, scanner: name))
        default:
            detach(node, .failed(error), at: now)
            retry(node, .failed(error))
        }
    }

    /// Gives a node back.
    mutating func detach(_ node: ReaderNode, _ reason: DisconnectReason, at now: Int64) {
        open[node.token] = nil
        let scanner = node.scanner
        if let device = node.device { poll.remove(device.descriptor) }
        if reason != .stopped { letGo(node) }
        node.close()
        if let scanner { part(node, from: scanner, reason, at: now) }
    }

    /// Has nobody keep the node, and its grab, beyond this process.
    private func letGo(_ node: ReaderNode) {
        guard let name = node.keptAs else { return }
        node.device?.ungrab()
        configuration.handover?.drop(name)
    }

    /// A node no longer belongs to a scanner.
    ///
    /// The scan in progress is torn; with the last node the scanner is gone.
    mutating func part(
        _ node: ReaderNode, from scanner: HeldScanner, _ reason: DisconnectReason, at now: Int64
    ) {
        scanner.remove(node)
        scanner.queue.say(scanner.tear(at: now))
        guard scanner.isEmpty else { return }
        scanners.removeAll { $0 === scanner }
        if scanner.isAnnounced {
            scanner.queue.say([.disconnected(scanner.scanner, reason)])
        }
        if reason != .stopped { mayHaveRoom = true }
    }

    private mutating func retry(_ node: ReaderNode, _ notice: ReaderNotice) {
        node.backoff.failed(at: MonotonicClock.now())
        say(notice, of: node)
    }

    private mutating func refuse(
        _ node: ReaderNode, _ known: KnownDevice, _ refusal: SelectionVerdict.Refusal
    ) {
        switch refusal {
        case .cannotType, .duplicate:
            say(.refused(node: node.path, name: known.identity.name, refusal), of: node)
        case .matchesNoConfiguredScanner, .notKnownAsScanner: return
        }
    }

    /// A node may not be opened: udev may be about to change that.
    ///
    /// Of a node nothing is known of it is not said: it is an ordinary keyboard, most likely.
    private mutating func forbid(_ node: ReaderNode) {
        let now = MonotonicClock.now()
        switch node.forbidden {
        case nil:
            let timeout = configuration.permissionsTimeout.wholeMicroseconds
            node.forbidden =
                node.known == nil ? .told : .since(deadline: now.later(by: timeout))
        case .since(let deadline) where deadline <= now:
            node.forbidden = .told
            say(.noPermission(node: node.path), of: node)
        case .since, .told: return
        }
    }

    private mutating func refuse(_ node: ReaderNode, _ error: SystemCallError) {
        switch error.errno {
        case EACCES, EPERM: forbid(node)
        case ENOENT, ENODEV, ENXIO: nodes[node.path] = nil
        default: retry(node, .failed(error))
        }
    }
}
