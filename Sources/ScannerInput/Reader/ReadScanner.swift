internal import Glibc
internal import Keystrokes

/// A scanner that is being read: its nodes, and the scan in progress.
final class ReadScanner {
    let scanner: AttachedScanner
    let outputs: ScannerOutputs
    private(set) var nodes: [ClaimedNode] = []
    private var assembler: InterfaceAssembler
    private var isAnnounced = false
    private var order = EventOrder()
    /// Whether another process may have received keys of a scan, and no rejection has reported this yet.
    private var mayHaveLostAScan = false
    /// The time of the last claim; keys pressed earlier get this time, so that time never runs backwards.
    private var claimMicroseconds = Int64.min

    init(_ plan: ReaderLoop.Plan, outputs: ScannerOutputs) {
        scanner = plan.scanner
        assembler = plan.assembler
        self.outputs = outputs
    }

    /// When to call ``advance(to:)``, in microseconds; nil while no scan is in progress.
    var deadline: Int64? { assembler.scans.deadlineMicroseconds }

    /// The state from which another process can resume reading; nil in the middle of a scan.
    var rest: ScanAssembler.Rest? { order.waiting.isEmpty ? assembler.scans.rest : nil }

    var hasUnorderedEvents: Bool { !order.waiting.isEmpty }

    /// Adds claimed nodes; those handed over by an earlier process must be added together.
    func add(_ added: [ClaimedNode], at now: Int64) {
        let heldElsewhere = nodes.flatMap(\.device.heldKeys)
        // One node of unknown state makes the state of the scanner unknown.
        let rests = added.compactMap(\.origin.rest)
        if let rest = rests.first, rests.count == added.count, nodes.isEmpty {
            assembler.scans.resume(from: rest)
        } else {
            if added.contains(where: \.origin.mayHaveLostAScan) { mayHaveLostAScan = true }
            startAfterClaim(at: now, inMidScan: added.contains(where: \.origin.sawKeys))
        }
        nodes += added
        // An earlier process read every key until now, so there is no need to wait for a pause.
        if assembler.scans.rest != nil { announce() }
        reportModifiers(among: heldElsewhere + added.flatMap(\.heldKeys), at: now)
        for node in added { node.pending.forEach(receive) }
    }

    /// Adds a node that new settings move to this scanner; `inMidScan` tells whether they interrupted a scan.
    func adopt(_ node: ClaimedNode, inMidScan: Bool, at now: Int64) {
        nodes.append(node)
        startAfterClaim(at: now, inMidScan: inMidScan)
        reportModifiers(among: nodes.flatMap(\.device.heldKeys), at: now)
    }

    var isInMidScan: Bool { hasUnorderedEvents || assembler.scans.isInMidScan }

    /// Records a claim, and rejects the next keys, because they may belong to a scan that began before the claim.
    private func startAfterClaim(at now: Int64, inMidScan: Bool) {
        claimMicroseconds = now
        assembler.scans.claimed(at: now, inMidScan: inMidScan)
    }

    /// Assembles an event, or keeps it for ``order(upTo:)`` if an older event may still follow.
    ///
    /// If one of several nodes loses keys, the exact time of the loss is unknown. The assembler is therefore told of
    /// two losses: one before the first waiting event, and one at the time of the loss event.
    func receive(_ event: DeviceEvent) {
        if event.isLoss, nodes.count > 1 {
            let time = min(order.waiting.map(\.microseconds).min() ?? .max, event.microseconds)
            DeviceEvent.loss(at: time).forEach(assemble)
        }
        if nodes.count == 1 { assemble(event) } else { order.waiting.append(event) }
    }

    /// Passes waiting events to the assembler, earliest first, up to the time `settled` in microseconds.
    func order(upTo settled: Int64) {
        if hasUnorderedEvents { order.removeEvents(upTo: settled).forEach(assemble) }
    }

    func advance(to now: Int64) { enqueue(assembler.scans.advance(to: now)) }

    private func assemble(_ event: DeviceEvent) {
        var event = event
        event.microseconds = max(event.microseconds, claimMicroseconds)
        breakIfLate(&event)
        assembler.feed(event, enqueue)
        if event.isLoss, nodes.count > 1 { recoverFromLoss(at: event.microseconds) }
    }

    /// Marks the scan in progress as broken if an event without a kernel timestamp was read after the scan's deadline.
    ///
    /// If this process stalls, it sees a pause that the scanner did not make. That pause must not complete a scan. It
    /// must not end a broken scan either, because the remaining keys would then be read as a shorter code.
    private func breakIfLate(_ event: inout DeviceEvent) {
        guard !event.hasKernelTime, let deadline, deadline <= event.microseconds else { return }
        event.microseconds = deadline - 1
        for loss in DeviceEvent.loss(at: event.microseconds) { assembler.feed(loss, enqueue) }
    }

    private func feed(_ event: KeyEvent) { assembler.feed(.key(event), enqueue) }

    func expectAnswer(at now: Int64) { assembler.expectAnswer(at: now) }

    /// Resumes after a loss of keys, and reports held modifiers, which the assembler has forgotten.
    private func recoverFromLoss(at time: Int64) {
        feed(.report(at: time))
        reportModifiers(among: nodes.flatMap(\.device.heldKeys), at: time)
    }

    /// Feeds the assembler an auto-repeat of each held modifier; other held keys do not affect later keys.
    private func reportModifiers(among keys: [KeyCode], at time: Int64) {
        let table = assembler.scans.settings.table
        let modifiers = keys.filter { if case .modifier = table[$0, []] { true } else { false } }
        for event in KeyEvent.repeats(of: modifiers, at: time) { feed(event) }
    }

    /// Removes a node; rejects a scan in progress at once or, if other nodes may type the rest of it, after the rest.
    func remove(_ number: dev_t, at now: Int64) {
        nodes.removeAll { $0.number == number }
        let isInProgress = hasUnorderedEvents || assembler.scans.deadlineMicroseconds != nil
        order.waiting = []
        if isInProgress, !nodes.isEmpty {
            feed(.dropped(at: now))
            return recoverFromLoss(at: now)
        }
        guard case .rejection(let rejection) = assembler.scans.disconnect(at: now),
            isAnnounced || rejection.keyCount > 0 || mayHaveLostAScan
        else { return }
        outputs.enqueue(.rejected(scanner, rejection))
    }

    /// Returns a closure that reports the scanner as disconnected and ends its outputs.
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

    /// Reports the connection once; call this only when the next scan is certain to be complete.
    private func announce() {
        guard !isAnnounced, !nodes.isEmpty else { return }
        isAnnounced = true
        outputs.enqueue(.connected(scanner, nodes: nodes.map(\.path)))
    }
}
