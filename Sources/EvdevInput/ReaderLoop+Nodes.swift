internal import Glibc
internal import Keystrokes
import WireText

/// How nodes become scanners and cease to be.
extension ReaderLoop {
    /// Looks at a node that is not open, and takes it where a rule says so.
    mutating func examine(_ path: String) {
        let node = nodes[path] ?? ReaderNode(path: path)
        nodes[path] = node
        guard !isOpen(node) else { return }
        node.backoff.tries()
        do throws(SystemCallError) {
            let device = try InputNode(path: path)
            node.isForbidden = false
            decide(on: node, device)
        } catch {
            refuse(node, error)
        }
    }

    /// Whether the node is open already; one that has become another device is given up first.
    private mutating func isOpen(_ node: ReaderNode) -> Bool {
        let number = EventNodes.device(at: node.path)
        if let device = node.device {
            guard let number, number != device.number else { return true }
            detach(node, .unplugged, at: MonotonicClock.now())
        }
        // The same device under another name: a second grab would meet our own.
        return number != nil && open.values.contains { $0.device?.number == number }
    }

    private mutating func decide(on node: ReaderNode, _ device: InputNode) {
        let facts = DeviceFacts(of: device, rules: rules, places: configuration.places)
        switch rules.verdict(on: facts) {
        case .taken(let rule):
            take(node, device, AttachedScanner(rule: rule, identity: facts.identity))
        case .refused(let refusal): refuse(node, facts, refusal)
        }
    }

    private mutating func take(_ node: ReaderNode, _ device: InputNode, _ scanner: AttachedScanner)
    {
        let now = MonotonicClock.now()
        let holder = scanners.first { $0.scanner.isSamePlace(as: scanner) }
        if let holder, !holder.scanner.identity.isSameHardware(as: scanner.identity) {
            let other = holder.members.first?.path ?? ""
            say(
                .refused(
                    node: node.path, name: scanner.identity.name,
                    .duplicate(scanner: scanner.name, of: other)), of: node)
            return
        }
        guard watchEvents(of: node, device) else { return }
        let held =
            holder
            ?? HeldScanner(
                scanner, settings: settings(of: scanner), line: line(of: scanner.name))
        if holder == nil { scanners.append(held) }
        held.add(node)
        node.scanner = held
        node.gate = GrabGate(at: now, patience: configuration.patienceForHeldKeys.wholeMicroseconds)
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

    private func settings(of scanner: AttachedScanner) -> ScanSettings {
        scanner.index.map { configuration.scanners[$0].settings } ?? configuration.automatic
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
        case EBUSY:
            detach(node, .failed(error), at: now)
            retry(node, .grabbedElsewhere(node: node.path, scanner: name))
        default:
            detach(node, .failed(error), at: now)
            retry(node, .failed(error))
        }
    }

    /// Gives a node back.
    ///
    /// The scan in progress is torn; with the last node the scanner is gone.
    mutating func detach(_ node: ReaderNode, _ reason: DisconnectReason, at now: Int64) {
        open[node.token] = nil
        let scanner = node.scanner
        node.close()
        guard let scanner else { return }
        scanner.remove(node)
        scanner.line.say(scanner.tear(at: now))
        guard scanner.isEmpty else { return }
        scanners.removeAll { $0 === scanner }
        if scanner.isAnnounced {
            scanner.line.say([.disconnected(scanner.scanner, reason)])
        }
        if reason != .stopped { mayHaveRoom = true }
    }

    private mutating func retry(_ node: ReaderNode, _ notice: ReaderNotice) {
        node.backoff.failed(at: MonotonicClock.now())
        say(notice, of: node)
    }

    private mutating func refuse(
        _ node: ReaderNode, _ facts: DeviceFacts, _ refusal: Verdict.Refusal
    ) {
        guard case .cannotType = refusal else { return }
        say(.refused(node: node.path, name: facts.identity.name, refusal), of: node)
    }

    private mutating func refuse(_ node: ReaderNode, _ error: SystemCallError) {
        switch error.errno {
        case EACCES, EPERM:
            node.isForbidden = true
            say(.noPermission(node: node.path), of: node)
        case ENOENT, ENODEV, ENXIO: nodes[node.path] = nil
        default: retry(node, .failed(error))
        }
    }
}
