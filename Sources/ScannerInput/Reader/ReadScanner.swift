internal import Glibc
internal import Keystrokes

/// A scanner that is being read: the nodes it consists of, and the scan in progress.
final class ReadScanner {
    let scanner: AttachedScanner
    let outputs: ScannerOutputs
    private(set) var nodes: [ClaimedNode] = []
    private var assembler: ScanAssembler
    /// Whether it was reported as connected.
    private var isAnnounced = false
    /// Events of several nodes that wait for older ones of another node.
    private var unordered: [KeyEvent] = []
    /// Whether an unreported scan may have gone to an earlier process or another program.
    private var mayHaveLostAScan = false
    /// When the last claim was made.
    ///
    /// Keys pressed before it may be read after it, as if the clock had stepped back; they count as
    /// pressed at the claim.
    private var claimMicroseconds = Int64.min

    init(_ plan: ReaderLoop.Plan, outputs: ScannerOutputs) {
        scanner = plan.scanner
        assembler = plan.assembler
        self.outputs = outputs
    }

    /// When ``advance(to:)`` has something to do.
    var deadline: Int64? { assembler.deadlineMicroseconds }

    /// The state in which it can be left to another process; nil in the middle of a scan.
    var rest: ScanAssembler.Rest? { unordered.isEmpty ? assembler.rest : nil }

    /// Whether events of several nodes wait for others that may be older.
    var hasUnorderedEvents: Bool { !unordered.isEmpty }

    /// Adds claimed nodes, all at once, so that their keys are ordered by time.
    func add(_ added: [ClaimedNode], at now: Int64) {
        let heldElsewhere = nodes.flatMap(\.device.heldKeys)
        // One node of unknown state makes the state of the scanner unknown.
        let rests = added.compactMap(\.origin.rest)
        if let rest = rests.first, rests.count == added.count, nodes.isEmpty {
            assembler.resume(from: rest)
        } else {
            if added.contains(where: \.origin.mayHaveLostAScan) { mayHaveLostAScan = true }
            startAfterClaim(at: now, inMidScan: added.contains(where: \.origin.sawKeys))
        }
        nodes += added
        // Another process has read every key up to here: no pause is needed.
        if assembler.rest != nil { announce() }
        reportModifiers(among: heldElsewhere + added.flatMap(\.heldKeys), at: now)
        for node in added { node.pending.forEach(receive) }
    }

    /// Adds a node that belonged to another scanner until now, perhaps in the middle of a scan.
    func adopt(_ node: ClaimedNode, inMidScan: Bool, at now: Int64) {
        nodes.append(node)
        startAfterClaim(at: now, inMidScan: inMidScan)
        reportModifiers(among: nodes.flatMap(\.device.heldKeys), at: now)
    }

    /// Whether keys have come that are not a whole scan yet.
    var isInMidScan: Bool { !unordered.isEmpty || assembler.isInMidScan }

    /// Distrusts the next keys, which may be the rest of a scan.
    private func startAfterClaim(at now: Int64, inMidScan: Bool) {
        claimMicroseconds = now
        assembler.claimed(at: now, inMidScan: inMidScan)
    }

    /// Assembles an event if no older one can follow, or keeps it until ``order(upTo:)``.
    ///
    /// If one of several nodes loses keys, the moment is unknown: the loss counts both before every
    /// event that is not assembled yet and at its own time.
    func receive(_ event: KeyEvent) {
        if event.isLoss, nodes.count > 1 {
            let time = min(unordered.map(\.microseconds).min() ?? .max, event.microseconds)
            for event in [KeyEvent.dropped(at: time), .report(at: time)] { assemble(event) }
        }
        if unordered.isEmpty, nodes.count == 1 { assemble(event) } else { unordered.append(event) }
    }

    /// Assembles the events of several nodes in the order of their time.
    ///
    /// While one node is read, another may get an older event than the newest just read. So only
    /// events up to `settled` are assembled; no older one can follow.
    func order(upTo settled: Int64) {
        guard !unordered.isEmpty else { return }
        let ordered = nodes.count > 1 ? unordered.inTimeOrder : unordered
        let isReady = { (event: KeyEvent) in self.nodes.count < 2 || event.microseconds <= settled }
        let ready = ordered.prefix(while: isReady)
        unordered = Array(ordered[ready.endIndex...])
        ready.forEach(assemble)
    }

    func advance(to now: Int64) { enqueue(assembler.advance(to: now)) }

    private func assemble(_ event: KeyEvent) {
        var event = event
        event.microseconds = max(event.microseconds, claimMicroseconds)
        enqueue(assembler.feed(event))
        if event.isLoss, nodes.count > 1 { recoverFromLoss(at: event.microseconds) }
    }

    /// Ends a loss: it made the assembler forget the keys that are held on other nodes.
    private func recoverFromLoss(at time: Int64) {
        enqueue(assembler.feed(.report(at: time)))
        reportModifiers(among: nodes.flatMap(\.device.heldKeys), at: time)
    }

    /// Reports the modifiers that are down.
    ///
    /// Other keys that are down change no key's meaning, and may be stuck.
    private func reportModifiers(among keys: [KeyCode], at time: Int64) {
        let table = assembler.settings.table
        let modifiers = keys.filter { if case .modifier = table[$0, []] { true } else { false } }
        for event in KeyEvent.repeats(of: modifiers, at: time) { enqueue(assembler.feed(event)) }
    }

    /// Removes a node; a scan in progress has lost keys.
    ///
    /// If other nodes remain, they may continue to type it, so it stays torn up to its end.
    func remove(_ number: dev_t, at now: Int64) {
        nodes.removeAll { $0.number == number }
        let isInProgress = !unordered.isEmpty || assembler.deadlineMicroseconds != nil
        unordered = []
        if isInProgress, !nodes.isEmpty {
            enqueue(assembler.feed(.dropped(at: now)))
            return recoverFromLoss(at: now)
        }
        guard case .rejection(let rejection) = assembler.disconnect(at: now),
            isAnnounced || rejection.keyCount > 0 || mayHaveLostAScan
        else { return }
        outputs.enqueue(.rejected(scanner, rejection))
    }

    /// Returns a closure that reports the end of a scanner without nodes.
    func end(_ reason: DisconnectReason) -> @Sendable () -> Void {
        { [scanner, outputs, isAnnounced] in
            if isAnnounced { outputs.enqueue(.disconnected(scanner, reason)) }
            outputs.finish()
        }
    }

    private func enqueue(_ outcome: ScanAssembler.Outcome) {
        switch outcome {
        case .nothing: return
        case .scan(let scan):
            announce()
            outputs.enqueue(.scan(scanner, scan))
        case .rejection(let rejection):
            let isSilence =
                rejection.reason == .startedBeforeGrab && rejection.keyCount == 0
                && !mayHaveLostAScan
            mayHaveLostAScan = false
            if !isSilence { outputs.enqueue(.rejected(scanner, rejection)) }
            announce()
        }
    }

    /// Reports the scanner as connected, once: from now on its scans are whole.
    private func announce() {
        guard !isAnnounced, !nodes.isEmpty else { return }
        isAnnounced = true
        outputs.enqueue(.connected(scanner, nodes: nodes.map(\.path)))
    }
}

extension KeyEvent {
    /// Whether the kernel says that keys were lost.
    fileprivate var isLoss: Bool { type == InputEventType.syn && code == SynCode.dropped }
}

extension [KeyEvent] {
    /// The events by time; those of the same time keep their order.
    var inTimeOrder: [KeyEvent] {
        enumerated()
            .sorted { ($0.element.microseconds, $0.offset) < ($1.element.microseconds, $1.offset) }
            .map(\.element)
    }
}
