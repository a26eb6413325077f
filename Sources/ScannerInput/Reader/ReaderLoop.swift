internal import Glibc
internal import Keystrokes
import WireText

/// The loop that reads claimed nodes; it must block only in epoll, as a key buffer can fill in 20 ms.
struct ReaderLoop {
    enum Message: Sendable {
        /// Read these nodes for the plan's scanner, which may already have other nodes.
        case read([ClaimedNode], Plan)
        /// From now on, read each of these nodes for its plan's scanner; give a node without a plan back to the finder.
        case move([dev_t: Plan?])
        /// This node's scanner is about to get a command, for instance to beep; ignore the scanner's reply.
        case expectAnswer(dev_t)
    }

    struct Plan: Sendable {
        let scanner: AttachedScanner
        let assembler: InterfaceAssembler
    }

    /// The maximum number of a scanner's scans and rejections to queue until the consumer reads them.
    private static let queueCapacity = 4096
    private static let inboxToken = UInt64.max
    private let configuration: ReaderConfiguration
    private let inbox: Mailbox<Message>
    private let finder: Mailbox<Finder.Message>
    private let outputs: AsyncStream<ReaderOutput>.Continuation
    private let poll: EventPoll
    private var scanners: [ReadScanner] = []
    private var reading: [dev_t: (node: ClaimedNode, scanner: ReadScanner)] = [:]
    /// The nodes that may have events in libevdev's buffer, which epoll cannot see.
    private var unfinished: Set<dev_t> = []
    private var nextBeat: Int64?

    init(
        _ configuration: ReaderConfiguration, inbox: Mailbox<Message>,
        finder: Mailbox<Finder.Message>, outputs: AsyncStream<ReaderOutput>.Continuation
    ) throws(SystemCallError) {
        self.configuration = configuration
        self.inbox = inbox
        self.finder = finder
        self.outputs = outputs
        poll = try EventPoll()
        try poll.add(inbox.descriptor, token: Self.inboxToken)
    }

    /// Reads the scanners until `isStopped` returns true.
    ///
    /// - Returns: The states of the scanners that are handed over to the next process, keyed by the
    ///   ``Handover/Node/name`` of each of their nodes.
    mutating func run(isStopped: () -> Bool) -> [String: ScanAssembler.Rest] {
        nextBeat = configuration.heartbeat == nil ? nil : MonotonicClock.now()
        // Checked before each wait, because receiving messages also clears the wakeup that announces a stop.
        while !isStopped() {
            let now = MonotonicClock.now()
            beat(now)
            let tokens = poll.wait(milliseconds: timeout(at: now))
            guard !isStopped() else { break }
            let messages = tokens.contains(Self.inboxToken) ? inbox.receive() : []
            // The answer may already be readable. Everything else is read before its scanner changes.
            for case .expectAnswer(let number) in messages {
                reading[number]?.scanner.expectAnswer(at: MonotonicClock.now())
            }
            readNodes(tokens)
            for message in messages { receive(message) }
            keepTime()
        }
        inbox.close()
        // Nobody reads the inbox any more, so its descriptor would stay readable.
        poll.remove(inbox.descriptor)
        let rests = leaveScanners()
        for number in Array(reading.keys) { close(number) }
        return rests
    }

    private mutating func beat(_ now: Int64) {
        guard let heartbeat = configuration.heartbeat, let due = nextBeat, due <= now else {
            return
        }
        heartbeat.beat()
        nextBeat = now.later(by: max(heartbeat.interval.wholeMicroseconds, 1))
    }

    private func timeout(at now: Int64) -> Int32 {
        if !unfinished.isEmpty { return 0 }
        var deadlines = scanners.compactMap(\.deadline)
        if let nextBeat { deadlines.append(nextBeat) }
        if scanners.contains(where: \.hasUnorderedEvents) {
            deadlines.append(now.later(by: EventOrder.settlingTime))
        }
        return EventPoll.milliseconds(from: now, until: deadlines.min())
    }
}

extension ReaderLoop {
    private mutating func receive(_ message: Message) {
        switch message {
        case .read(let nodes, let plan): read(nodes, plan)
        case .move(let plans): move(plans)
        case .expectAnswer: break
        }
    }

    private mutating func read(_ nodes: [ClaimedNode], _ plan: Plan) {
        let watched = nodes.filter { node in
            do throws(SystemCallError) {
                try poll.add(node.device.descriptor, token: UInt64(node.number))
                return true
            } catch {
                finder.post(.returned(node, error, then: {}))
                return false
            }
        }
        guard !watched.isEmpty else { return }
        let scanner = scanner(of: plan)
        for node in watched {
            reading[node.number] = (node, scanner)
            unfinished.insert(node.number)
        }
        scanner.add(watched, at: MonotonicClock.now())
    }

    private mutating func move(_ plans: [dev_t: Plan?]) {
        let now = MonotonicClock.now()
        var moved: [(node: ClaimedNode, inMidScan: Bool, plan: Plan)] = []
        // All nodes leave their scanners before any joins another, so that two scanners can swap names.
        for (number, plan) in plans {
            guard let plan else {
                giveBack(number, .reconfigured, nil)
                continue
            }
            guard let (node, scanner) = reading[number] else { continue }
            let inMidScan = scanner.isInMidScan
            remove(number, from: scanner, .reconfigured)()
            moved.append((node, inMidScan, plan))
        }
        for (node, inMidScan, plan) in moved {
            let scanner = scanner(of: plan)
            reading[node.number]?.scanner = scanner
            scanner.adopt(node, inMidScan: inMidScan, at: now)
        }
    }

    /// Returns the plan's scanner, and creates it if it is not being read yet.
    private mutating func scanner(of plan: Plan) -> ReadScanner {
        if let scanner = scanners.first(where: { $0.scanner.name == plan.scanner.name }) {
            return scanner
        }
        let queue = ScannerOutputs(capacity: Self.queueCapacity)
        let scanner = ReadScanner(plan, outputs: queue)
        scanners.append(scanner)
        outputs.yield(.scanner(name: plan.scanner.name, queue))
        return scanner
    }

    /// Has the finder release a node, and then reports the scanner as disconnected if no nodes are left.
    private mutating func giveBack(
        _ number: dev_t, _ reason: DisconnectReason, _ error: SystemCallError?
    ) {
        guard let (node, end) = detach(number, reason) else { return }
        if !finder.post(.returned(node, error, then: end)) { end() }
    }

    /// Closes a node, and then reports its scanner as disconnected if no nodes are left.
    private mutating func close(_ number: dev_t) {
        let end = detach(number, .stopped)?.end
        end?()
    }

    /// Stops reading a node; call the returned closure once the node is closed or released.
    private mutating func detach(
        _ number: dev_t, _ reason: DisconnectReason
    ) -> (node: ClaimedNode, end: @Sendable () -> Void)? {
        guard let (node, scanner) = reading.removeValue(forKey: number) else { return nil }
        poll.remove(node.device.descriptor)
        unfinished.remove(number)
        return (node, remove(number, from: scanner, reason))
    }

    /// Removes a node from a scanner; the closure reports the disconnection if no nodes are left.
    private mutating func remove(
        _ number: dev_t, from scanner: ReadScanner, _ reason: DisconnectReason
    ) -> @Sendable () -> Void {
        scanner.remove(number, at: MonotonicClock.now())
        guard scanner.nodes.isEmpty else { return {} }
        scanners.removeAll { $0 === scanner }
        return scanner.end(reason)
    }
}

extension ReaderLoop {
    private mutating func readNodes(_ tokens: [UInt64]) {
        let settled = MonotonicClock.now() - EventOrder.settlingTime
        var numbers = unfinished.union(tokens.map { dev_t($0) })
        for scanner in scanners where scanner.nodes.count > 1 {
            numbers.formUnion(scanner.nodes.map(\.number))
        }
        for number in numbers { read(number) }
        for scanner in scanners { scanner.order(upTo: settled) }
    }

    /// Reads a node's waiting events; if that fails, gives the node back to the ``Finder``.
    private mutating func read(_ number: dev_t) {
        guard let (node, scanner) = reading[number] else { return }
        do throws(SystemCallError) {
            let mayHaveMore = try node.device.read(limit: configuration.eventsInATurn) {
                scanner.receive($0)
            }
            if mayHaveMore { unfinished.insert(number) } else { unfinished.remove(number) }
        } catch {
            scanner.order(upTo: MonotonicClock.now() - EventOrder.settlingTime)
            giveBack(number, error.errno == ENODEV ? .unplugged : .failed(error), error)
        }
    }

    /// Ends each scan whose deadline has passed without input; rejects a scan that a pause cannot complete.
    ///
    /// Each scanner's nodes are read first, because keys that are still unread belong to the scan.
    private mutating func keepTime() {
        let now = MonotonicClock.now()
        for scanner in scanners where (scanner.deadline ?? .max) <= now {
            for node in scanner.nodes { read(node.number) }
            scanner.order(upTo: now - EventOrder.settlingTime)
            let isUnfinished = scanner.nodes.contains { unfinished.contains($0.number) }
            if !isUnfinished, !scanner.hasUnorderedEvents { scanner.advance(to: now) }
        }
    }

    /// Hands over the scanners that become idle within ``Handover/grace``, and returns their states by node name.
    private mutating func leaveScanners() -> [String: ScanAssembler.Rest] {
        guard configuration.handover != nil else { return [:] }
        var rests: [String: ScanAssembler.Rest] = [:]
        let end = MonotonicClock.now().later(by: Handover.grace.wholeMicroseconds)
        while !scanners.isEmpty {
            let now = MonotonicClock.now()
            for scanner in scanners {
                let numbers = scanner.nodes.map(\.number)
                guard let rest = scanner.rest, unfinished.isDisjoint(with: numbers) else {
                    continue
                }
                for number in numbers {
                    rests[Handover.name(of: number)] = rest
                    close(number)
                }
            }
            guard now < end else { break }
            beat(now)
            let timeout = timeout(at: now)
            readNodes(poll.wait(milliseconds: timeout < 0 ? 10 : min(timeout, 10)))
            keepTime()
        }
        return rests
    }
}
