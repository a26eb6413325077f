package import Events
package import Journal
import NIOCore
import Synchronization

/// The newest events, for streams to take at their own pace, each event kept once for all of them.
///
/// Whoever publishes an event waits for nobody: it goes into the feed, and the streams that wait are
/// woken on the thread of the connections. An event that comes alone is sent at once; of a flood, what
/// comes within ``pause`` is sent together. A stream that falls behind reads the journal.
package final class LiveFeed: EventSink {
    /// What the feed has for a stream.
    enum Step {
        /// Events behind its place, the first of them next to it.
        case events([StreamedEvent])
        /// Nothing new.
        case nothing
        /// Events behind its place that the feed no longer has: they are in the journal.
        case behind
        /// Its place is ahead of all events, of which this is the newest.
        case ahead(UInt64)
        /// Nothing new, and nothing comes any more.
        case end
    }

    /// How many events are kept.
    static let countLimit = 4096
    /// How many bytes of them.
    static let sizeLimit = 4 << 20
    /// How many events a stream takes at once.
    static let stepLimit = 64
    /// The shortest time from one waking of the streams to the next.
    static let pause = TimeAmount.milliseconds(5)

    fileprivate struct State {
        var events: [StreamedEvent] = []
        /// How many at the front of `events` are gone.
        var gone = 0
        var size = 0
        /// Every event with a higher number that was published is here; nil where nobody knows yet
        /// which the journal has.
        var floor: UInt64?
        /// The number of the newest event.
        var newest: UInt64
        var isEnded = false
        var isWaking = false
        var lastWaking = NIODeadline.uptimeNanoseconds(0)
        var streams: [Int: StreamSignal] = [:]
        var nextStream = 0
    }

    private let journal: EventJournal
    private let state: Mutex<State>
    private let loop = Mutex<(any EventLoop)?>(nil)

    /// Makes a feed.
    ///
    /// - Parameter journal: Where the events are kept, before any of this run is published.
    package init(journal: EventJournal) {
        self.journal = journal
        let newest = journal.end.sequence
        state = Mutex(State(floor: journal.isOpen ? newest : nil, newest: newest))
    }

    /// Sets the thread on which streams are woken.
    func wakeStreams(on loop: any EventLoop) {
        self.loop.withLock { $0 = loop }
    }

    /// The number of the newest event.
    var newest: UInt64 { state.withLock { $0.newest } }

    /// Takes an event.
    package func sendAtOnce(_ event: Event) -> Sending {
        let cursor = Cursor(epoch: journal.epoch, sequence: event.sequence)
        let streamed = StreamedEvent(
            type: event.type, source: event.source, cursor: cursor, line: event.line)
        let isToWake = state.withLock { state in
            state.append(streamed, event.sequence)
            return state.isToWake()
        }
        if isToWake { wake() }
        return .done
    }

    /// Takes an event.
    nonisolated(nonsending) package func send(_ event: Event) async throws {
        _ = sendAtOnce(event)
    }

    /// No more events come: streams end behind the last.
    func finish() {
        let isToWake = state.withLock { state in
            state.isEnded = true
            return state.isToWake()
        }
        if isToWake { wake() }
    }

    /// What there is behind a stream's place.
    func step(after sequence: UInt64) -> Step {
        state.withLock { $0.step(after: sequence) }
    }

    /// Has a stream be woken whenever there is something new.
    ///
    /// - Returns: What ends that.
    func add(_ signal: StreamSignal) -> Int {
        state.withLock { state in
            state.nextStream += 1
            state.streams[state.nextStream] = signal
            return state.nextStream
        }
    }

    /// Forgets a stream.
    ///
    /// - Returns: How many are left.
    @discardableResult func remove(_ stream: Int) -> Int {
        state.withLock { state in
            state.streams[stream] = nil
            return state.streams.count
        }
    }

    /// The streams there are.
    var streams: [StreamSignal] { state.withLock { Array($0.streams.values) } }

    private func wake() {
        guard let loop = loop.withLock({ $0 }) else { return }
        let time = max(loop.now, state.withLock { $0.lastWaking } + Self.pause)
        loop.scheduleTask(deadline: time) { [self] in
            let streams = state.withLock { state in
                state.isWaking = false
                state.lastWaking = loop.now
                return Array(state.streams.values)
            }
            for stream in streams { stream.set() }
        }
    }
}

extension LiveFeed.State {
    fileprivate mutating func append(_ event: StreamedEvent, _ sequence: UInt64) {
        floor = floor ?? sequence - 1
        events.append(event)
        newest = sequence
        size += event.size
        while events.count - gone > LiveFeed.countLimit || size > LiveFeed.sizeLimit {
            size -= events[gone].size
            floor = events[gone].sequence ?? floor
            gone += 1
        }
        // Moving the rest costs nothing where it happens once for as many events.
        guard gone >= max(LiveFeed.countLimit, events.count / 2) else { return }
        events.removeFirst(gone)
        gone = 0
    }

    fileprivate mutating func isToWake() -> Bool {
        guard !isWaking, !streams.isEmpty else { return false }
        isWaking = true
        return true
    }

    fileprivate func step(after sequence: UInt64) -> LiveFeed.Step {
        guard let floor else { return isEnded ? .end : .behind }
        guard sequence <= newest else { return .ahead(newest) }
        guard sequence < newest else { return isEnded ? .end : .nothing }
        guard sequence >= floor else { return .behind }
        var low = gone
        var high = events.count
        while low < high {
            let middle = (low + high) / 2
            if (events[middle].sequence ?? 0) > sequence { high = middle } else { low = middle + 1 }
        }
        return .events(Array(events[low..<min(events.count, low + LiveFeed.stepLimit)]))
    }
}
