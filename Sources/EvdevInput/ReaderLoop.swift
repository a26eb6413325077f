internal import Glibc
internal import Keystrokes
import WireText

/// What the reader's thread does, from start to stop.
///
/// It waits in epoll and nowhere else. Logs, lookups and sinks are on the far side of the queue.
struct ReaderLoop {
    enum Token {
        static let wakeup: UInt64 = 0
        static let folder: UInt64 = 1
        static let firstNode: UInt64 = 2
    }

    /// How long after its time an event is in the kernel's buffer for certain, in microseconds.
    private static let settlingTime: Int64 = 1_000

    var configuration: ReaderConfiguration
    var rules: SelectionRules { configuration.rules }
    let poll: EventPoll
    let watch: FolderWatch
    private let wakeup: Wakeup
    private let outputs: BoundedQueue
    /// Closes the nodes.
    let closer: NodeCloser

    /// The nodes by path.
    var nodes: [String: ReaderNode] = [:]
    /// The open nodes by what epoll knows them by.
    var open: [UInt64: ReaderNode] = [:]
    /// The nodes to be looked at.
    var queued: ArraySlice<ReaderNode> = []
    var scanners: [HeldScanner] = []
    /// Of all scanners there have been.
    private var scannerQueues: [ScannerQueue] = []
    var nextToken = Token.firstNode
    /// Whether a scanner went away whose place another device may take.
    var mayHaveRoom = false

    private var outbox: [ReaderOutput] = []
    private var isBacklogged = false
    /// The nodes that may have events which libevdev has taken from the kernel already, so that
    /// epoll knows nothing of them.
    private(set) var unfinished: [UInt64] = []
    private var nextBeat: Int64?
    /// What ``deadline`` was at the end of the last round.
    private var nextDeadline = Int64.max

    init(
        configuration: ReaderConfiguration, outputs: BoundedQueue, wakeup: Wakeup
    ) throws(SystemCallError) {
        self.configuration = configuration
        self.outputs = outputs
        self.wakeup = wakeup
        poll = try EventPoll()
        watch = try FolderWatch(places: configuration.places)
        closer = try NodeCloser()
        try poll.add(wakeup.descriptor, token: Token.wakeup)
        try poll.add(watch.descriptor, token: Token.folder)
    }

    /// Reads until it is told to stop.
    ///
    /// - Parameters:
    ///   - isStopped: Whether it is told to stop; asked after each waking.
    ///   - replacement: What it is to read from now on; nil where nothing changes.
    ///   - left: Takes how scanners are left to another process, by what their nodes are kept by.
    mutating func run(
        isStopped: () -> Bool, replacement: () -> ReaderConfiguration?,
        left: ([String: ScanAssembler.Rest]) -> Void
    ) {
        examineFolder()
        nextBeat = configuration.heartbeat == nil ? nil : MonotonicClock.now()
        var isFirstLook = true
        while true {
            if isFirstLook, queued.isEmpty {
                isFirstLook = false
                endHandover()
                sayWhetherAnythingIsThere()
            }
            let now = MonotonicClock.now()
            beat(now)
            deliver()
            let tokens = poll.wait(milliseconds: timeout(at: now))
            // What wakes it is there for one round, whatever it is that somebody wants.
            if tokens.contains(Token.wakeup) { wakeup.wait() }
            guard !isStopped() else { break }
            readNodes(tokens)
            if let configuration = replacement() { reconfigure(configuration) }
            if tokens.contains(Token.folder) { followFolder() }
            examineNext()
            keepTime()
            fillRoom()
        }
        left(leaveScanners())
        release()
    }

    /// The queue of a scanner; a new one where there was none of that name.
    mutating func scannerQueue(of name: String) -> ScannerQueue {
        if let queue = scannerQueues.first(where: { $0.name == name }) { return queue }
        let queue = ScannerQueue(name: name, capacity: configuration.queueCapacity)
        scannerQueues.append(queue)
        outbox.append(.scanner(ReaderOutputs(queue: queue.queue)))
        return queue
    }

    /// Has the log say something at the end of this round.
    mutating func say(_ notice: ReaderNotice) {
        outbox.append(.notice(notice))
    }

    /// Says something of a node, unless it was the last thing said of it.
    mutating func say(_ notice: ReaderNotice, of node: ReaderNode) {
        guard node.lastNotice != notice else { return }
        node.lastNotice = notice
        say(notice)
    }
}

extension ReaderLoop {
    mutating func deliver() {
        isBacklogged = !outbox.isEmpty && !outputs.offer(&outbox)
        for queue in scannerQueues where !queue.deliver() { isBacklogged = true }
    }

    mutating func beat(_ now: Int64) {
        guard let heartbeat = configuration.heartbeat, let due = nextBeat, due <= now else {
            return
        }
        heartbeat.beat()
        nextBeat = now.later(by: max(heartbeat.interval.wholeMicroseconds, 1))
    }

    mutating func timeout(at now: Int64) -> Int32 {
        nextDeadline = deadline
        if !unfinished.isEmpty || !queued.isEmpty { return 0 }
        var earliest = min(nextDeadline, nextBeat ?? .max)
        if scanners.contains(where: \.isHoldingBack) {
            earliest = min(earliest, now.later(by: Self.settlingTime))
        }
        if isBacklogged { earliest = min(earliest, now.later(by: 1_000)) }
        guard earliest != .max else { return -1 }
        // Rounded up: waking too early would mean waking twice.
        let milliseconds = (max(earliest - now, 0) + 999) / 1_000
        return Int32(clamping: milliseconds)
    }

    /// When the first scanner or node needs attention although no event comes.
    private var deadline: Int64 {
        var earliest = Int64.max
        for scanner in scanners { earliest = min(earliest, scanner.deadline ?? .max) }
        for node in nodes.values { earliest = min(earliest, node.deadline ?? .max) }
        return earliest
    }

    private mutating func sayWhetherAnythingIsThere() {
        guard scanners.isEmpty else { return }
        let forbidden = nodes.values.count(where: \.isForbidden)
        say(.noScanner(configured: !configuration.scanners.isEmpty, forbidden: forbidden))
    }

    private mutating func fillRoom() {
        guard mayHaveRoom else { return }
        mayHaveRoom = false
        for node in nodes.values where node.backoff.deadline == nil && node.device == nil {
            queue(node)
        }
    }

    /// Gives everything back and says so, and waits for the queue's lock where it must: nothing
    /// is grabbed any more.
    private mutating func release() {
        let now = MonotonicClock.now()
        // What is said to be let go is.
        closer.waitFromNowOn()
        for node in Array(nodes.values) { detach(node, .stopped, at: now) }
        for queue in scannerQueues { while !queue.finish() { sched_yield() } }
        while !outputs.offer(&outbox, isLast: true) { sched_yield() }
    }
}

extension ReaderLoop {
    mutating func readNodes(_ tokens: some Collection<UInt64>) {
        let settled = MonotonicClock.now() - Self.settlingTime
        let rest = unfinished
        unfinished = []
        for token in tokens {
            if let node = open[token] { read(node) }
        }
        for token in rest where !tokens.contains(token) {
            if let node = open[token] { read(node) }
        }
        for scanner in scanners where scanner.members.count > 1 {
            for node in scanner.members { read(node) }
        }
        for scanner in scanners { scanner.queue.say(scanner.feed(settledUpTo: settled)) }
    }

    /// Reads what a node has; where that fails, the scanner has lost keys.
    private mutating func read(_ node: ReaderNode) {
        guard let device = node.device, let scanner = node.scanner else { return }
        do throws(SystemCallError) {
            let mayHaveMore = try device.read(limit: configuration.eventsInATurn) { event in
                scanner.queue.say(scanner.take(event))
            }
            if mayHaveMore, !unfinished.contains(node.token) { unfinished.append(node.token) }
            if node.gate != nil { pass(node, at: MonotonicClock.now()) }
        } catch {
            scanner.queue.say(
                scanner.feed(settledUpTo: MonotonicClock.now() - Self.settlingTime))
            lose(node, error)
        }
    }

    /// Does what is due.
    ///
    /// Before a scan is called idle, what its nodes hold by now is read.
    mutating func keepTime() {
        let now = MonotonicClock.now()
        guard nextDeadline <= now else { return }
        for scanner in scanners where (scanner.deadline ?? .max) <= now {
            for node in scanner.members { read(node) }
            scanner.queue.say(scanner.feed(settledUpTo: now - Self.settlingTime))
            let isUnfinished = scanner.members.contains { unfinished.contains($0.token) }
            if isUnfinished || scanner.isHoldingBack { continue }
            scanner.queue.say(scanner.advance(to: now))
        }
        for node in Array(nodes.values) where (node.deadline ?? .max) <= now {
            if node.device == nil { queue(node) } else { pass(node, at: now) }
        }
    }
}
