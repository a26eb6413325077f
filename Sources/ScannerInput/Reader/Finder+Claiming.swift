internal import Glibc
internal import Keystrokes
internal import WireText

extension Finder {
    /// Reads the events of a node that is not claimed yet, and claims it if no key is down any more.
    mutating func readWaiting(_ number: dev_t) {
        guard var node = waiting[number] else { return }
        do throws(SystemCallError) {
            _ = try node.device.read(limit: configuration.eventsInATurn) { event in
                // An auto-repeat only shows that a key is still held.
                if case .key(let key) = event, key.type != InputEventType.key || key.value == 2 {
                    return
                }
                node.sawKeys = true
            }
            waiting[number] = node
            claim(number)
        } catch {
            close(number, error)
        }
    }

    /// Claims an open node if none of its keys is down, or if its deadline has passed.
    mutating func claim(_ number: dev_t) {
        guard let node = waiting[number] else { return }
        let isKeyDown = !node.device.heldKeys.isEmpty
        guard !isKeyDown || node.deadline <= MonotonicClock.now() else {
            return retries.report(.waitingForHeldKeys(node: node.path), of: node.path)
        }
        let hasDiscarded: Bool
        do throws(SystemCallError) {
            hasDiscarded = try node.device.claim()
        } catch {
            return close(number, error)
        }
        poll.remove(node.device.descriptor)
        waiting[number] = nil
        if node.device.canBeHandedOver {
            configuration.handover?.keep(Handover.name(of: number), node.device.descriptor)
        }
        if isKeyDown { report(.claimedWithKeyHeld(node: node.path)) }
        let claimed = ClaimedNode(
            path: node.path, device: node.device,
            origin: .claimed(sawKeys: node.sawKeys || hasDiscarded),
            heldKeys: node.device.heldKeys)
        reader.post(.read([claimed], plan(for: claimed, node.rule)))
    }

    private mutating func close(_ number: dev_t, _ error: SystemCallError) {
        guard let node = waiting.removeValue(forKey: number) else { return }
        poll.remove(node.device.descriptor)
        let scanner = scanner(node.device.described, node.rule)
        retries.fail(node.path, error, scanner: scanner.name, at: MonotonicClock.now())
        // Another device may have the path by now.
        if error.errno == ENODEV { look(at: node.path) }
    }

    /// Records that a node is claimed, and returns its scanner with a new assembler.
    mutating func plan(
        for node: ClaimedNode, _ rule: SelectionVerdict.Rule
    ) -> ReaderLoop.Plan {
        let device = node.device.described
        let scanner = scanner(device, rule)
        let settings = configuration.settings(of: scanner)
        claims[node.number] = Claim(
            path: node.path, device: device, serial: configuration.serial(of: rule),
            signals: SignalLine(to: node.device), order: claimCount, scanner: scanner,
            settings: settings)
        claimCount += 1
        retries.forget(node.path)
        reportAnotherName(of: scanner, node.path)
        return ReaderLoop.Plan(
            scanner: scanner,
            assembler: InterfaceAssembler(device.interface, settings: settings))
    }

    func reportAnotherName(of scanner: AttachedScanner, _ path: String) {
        guard let configured = scanner.configuredName, configured != scanner.name else { return }
        report(.anotherDevice(node: path, scanner: configured, name: scanner.name))
    }
}

extension Finder {
    /// Resumes the nodes that an earlier process left claimed, and releases those that cannot be resumed.
    mutating func resumeScanners(_ paths: [String]) {
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

    /// Resumes a node left claimed by an earlier process; nil if it is not a scanner, or on failure.
    private mutating func resumed(
        _ number: dev_t, _ path: String
    ) -> (ClaimedNode, SelectionVerdict.Rule)? {
        guard let device = try? devices.open(path, as: nil, serial: SerialSettings()),
            device.number == number,
            let rule = rule(device.described, number, path),
            let left = configuration.handover?.remove(number)
        else { return nil }
        let heldNow = device.heldKeys
        guard device.resume(from: left.descriptor) else {
            left.giveUp()
            return nil
        }
        var events: [DeviceEvent] = []
        do throws(SystemCallError) {
            while try device.read(limit: configuration.eventsInATurn, { events.append($0) }) {}
        } catch {
            // The reader will get the same error, and report it.
        }
        return (
            ClaimedNode(
                path: path, device: device, origin: .resumed(left.rest), pending: events,
                heldKeys: events.keysDownBefore(now: heldNow)), rule
        )
    }
}

extension [DeviceEvent] {
    /// Returns the keys down before these events, given those down after; inexact if events were lost.
    func keysDownBefore(now: [KeyCode]) -> [KeyCode] {
        let keys = prefix { !$0.isLoss }.compactMap { event -> KeyEvent? in
            if case .key(let key) = event, key.type == InputEventType.key { key } else { nil }
        }
        var first: [UInt16: Int32] = [:]
        for key in keys where first[key.code] == nil { first[key.code] = key.value }
        let cameUp = first.filter { $0.value != 1 }.keys.sorted().map(KeyCode.init(rawValue:))
        return cameUp + now.filter { first[$0.rawValue] == nil }
    }
}

/// A channel for signals to a scanner, such as beeps; only the finder uses it, as writes can block.
final class SignalLine {
    private let descriptor: Int32
    private let signals: [ScannerSignal: [UInt8]]

    /// Opens a channel for signals, such as beeps; nil if the device has none, or on failure.
    init?(to device: any InputDevice) {
        signals = device.signals
        guard !signals.isEmpty else { return nil }
        descriptor = fcntl(device.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    func canGive(_ signal: ScannerSignal) -> Bool { bytes(of: signal) != nil }

    /// Makes the scanner give a signal, such as a beep, or else a similar one; does nothing if it supports neither.
    func give(_ signal: ScannerSignal) {
        guard let bytes = bytes(of: signal) else { return }
        _ = write(descriptor, bytes, bytes.count)
    }

    private func bytes(of signal: ScannerSignal) -> [UInt8]? {
        switch signal {
        case .good: signals[.good]
        case .error: signals[.error] ?? signals[.notOnFile]
        case .notOnFile: signals[.notOnFile] ?? signals[.error]
        }
    }
}
