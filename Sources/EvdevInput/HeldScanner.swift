internal import Keystrokes

/// A scanner being read: the nodes it consists of, and the scan in progress.
final class HeldScanner {
    var scanner: AttachedScanner
    /// Where its outputs go.
    let queue: ScannerQueue
    /// How it types, as it was configured.
    let typing: PreparedAssembler
    private(set) var assembler: ScanAssembler
    /// Whether it was said that it is connected.
    private(set) var isAnnounced = false
    private var nodes: [ReaderNode] = []
    private var events: [KeyEvent] = []
    /// Whether a scan may have been read of which nobody was told.
    private var mayHaveLostAScan = false
    /// When the last grab was made.
    ///
    /// Keys from before it may be read after it, and would look like a clock that stepped back,
    /// which ends a scan: they count as pressed at the grab.
    private var grabMicroseconds = Int64.min

    init(_ scanner: AttachedScanner, typing: PreparedAssembler, queue: ScannerQueue) {
        self.scanner = scanner
        self.queue = queue
        self.typing = typing
        assembler = typing.assembler
    }

    /// When ``advance(to:)`` has something to do.
    var deadline: Int64? { assembler.deadlineInPlace() }

    var isEmpty: Bool { nodes.isEmpty }
    var members: [ReaderNode] { nodes }

    func add(_ node: ReaderNode) {
        nodes.append(node)
    }

    func remove(_ node: ReaderNode) {
        nodes.removeAll { $0 === node }
    }

    /// The keys that come next may be the rest of a scan.
    func startedBeforeGrab(at now: Int64) {
        grabMicroseconds = now
        assembler.claimed(at: now)
    }

    /// Another process has grabbed it, and ended without a word of what it had read.
    func goesOnBlindly(at now: Int64) {
        mayHaveLostAScan = true
        startedBeforeGrab(at: now)
    }

    /// Another process has grabbed it, and left it between two scans.
    func goOn(from rest: ScanAssembler.Rest) {
        assembler.resume(from: rest)
    }

    /// How it is left to another process; nil in the middle of a scan.
    var rest: ScanAssembler.Rest? {
        isHoldingBack || !nodes.allSatisfy(\.isGrabbed) ? nil : assembler.rest
    }

    /// Takes an event: feeds it where none can come before it, else keeps it until
    /// ``feed(settledUpTo:)``.
    ///
    /// - Returns: What comes of the event.
    func take(_ event: KeyEvent) -> [ReaderOutput] {
        guard events.isEmpty, nodes.count == 1, nodes[0].isGrabbed else {
            events.append(event)
            return []
        }
        return output(of: feed(event))
    }

    /// Whether events of several nodes wait for others that may have come before them.
    var isHoldingBack: Bool { !events.isEmpty }

    /// Feeds the events kept, those of several nodes in the order of their time.
    ///
    /// While one node is read, another may get an older event than the newest just read. Hence of
    /// several nodes only events up to `settled` are fed, and the rest is held back.
    ///
    /// - Parameter settled: All events up to this time have been taken.
    /// - Returns: What comes of the events.
    func feed(settledUpTo settled: Int64) -> [ReaderOutput] {
        guard !events.isEmpty else { return [] }
        guard nodes.count > 1 else {
            defer { events.removeAll(keepingCapacity: true) }
            return events.flatMap { output(of: feed($0)) }
        }
        let ordered = events.inTimeOrder
        let ready = ordered.prefix { $0.microseconds <= settled }
        events = Array(ordered[ready.endIndex...])
        return ready.flatMap { output(of: feed($0)) }
    }

    private func feed(_ event: KeyEvent) -> ScanAssembler.Outcome {
        var event = event
        event.microseconds = max(event.microseconds, grabMicroseconds)
        return assembler.feed(event)
    }

    func advance(to now: Int64) -> [ReaderOutput] {
        output(of: assembler.advance(to: now))
    }

    /// A node went away: whatever is in progress has lost keys.
    ///
    /// Where other nodes are left, they may go on typing it: it is torn up to its end.
    ///
    /// - Parameter now: The time now.
    /// - Returns: A rejection where a scan was in progress.
    func tear(at now: Int64) -> [ReaderOutput] {
        let isInProgress = isHoldingBack || assembler.deadlineMicroseconds != nil
        events.removeAll(keepingCapacity: true)
        if isInProgress, !nodes.isEmpty {
            return [.dropped(at: now), .report(at: now)].flatMap { output(of: assembler.feed($0)) }
        }
        let outcome = assembler.disconnect(at: now)
        guard case .rejection(let rejection) = outcome,
            isAnnounced || rejection.keyCount > 0 || mayHaveLostAScan
        else {
            return []
        }
        return [.rejected(scanner, rejection)]
    }

    private func output(of outcome: ScanAssembler.Outcome) -> [ReaderOutput] {
        switch outcome {
        case .nothing: return []
        case .scan(let scan):
            // A scanner that goes on where another process left it may have typed meanwhile.
            return announcement() + [.scan(scanner, scan)]
        case .rejection(let rejection):
            let isQuiet =
                rejection.reason == .startedBeforeGrab && rejection.keyCount == 0
                && !mayHaveLostAScan
            mayHaveLostAScan = false
            return (isQuiet ? [] : [.rejected(scanner, rejection)]) + announcement()
        }
    }

    /// The first pause after the grab is over: what comes from now on is whole.
    func announcement() -> [ReaderOutput] {
        guard !isAnnounced, nodes.contains(where: \.isGrabbed) else { return [] }
        isAnnounced = true
        return [.connected(scanner, nodes: nodes.filter(\.isGrabbed).map(\.path))]
    }
}

extension ScanAssembler {
    /// ``deadlineMicroseconds``, of an assembler that a class holds: it would be copied to be asked.
    fileprivate mutating func deadlineInPlace() -> Int64? { deadlineMicroseconds }
}

extension [KeyEvent] {
    /// The events by time; those of the same time stay as they are.
    var inTimeOrder: [KeyEvent] {
        enumerated()
            .sorted { ($0.element.microseconds, $0.offset) < ($1.element.microseconds, $1.offset) }
            .map(\.element)
    }
}
