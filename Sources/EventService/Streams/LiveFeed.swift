import Events
import Journal
import NIOCore
import Synchronization

/// A feed that keeps one copy of the newest events for all streams, which read them at their own pace.
///
/// Publishing never waits: the feed stores the event, and wakes the waiting streams on the connections' thread. A
/// single event is sent immediately; during a burst, all events within a ``pause`` are sent together. A stream that
/// falls behind reads the journal instead.
final class LiveFeed: Sendable {
    enum Step {
        /// Events for the stream to send, which directly follow its position.
        case events([StreamedEvent])
        /// No new event has arrived, so the stream waits.
        case nothing
        /// The feed does not contain the next events, so the stream reads the journal.
        case behind
        /// The stream is past the newest event, so it must move back to the event with this number.
        case ahead(UInt64)
        /// No more events will follow, so the stream ends.
        case end
    }

    static let countLimit = 4096
    /// The maximum total size of the events in the feed, in bytes.
    private static let sizeLimit = 4 << 20
    private static let stepLimit = 64
    /// The minimum time between two wake-ups of the streams.
    static let pause = TimeAmount.milliseconds(5)
    /// The time between two comments, which show an idle client that its connection is alive.
    private static let commentInterval = TimeAmount.seconds(15)

    private struct State {
        var events = CircularBuffer<StreamedEvent>()
        var size = 0
        /// The sequence number after which the feed contains all events; nil if not yet known.
        var floor: UInt64?
        var newest: UInt64
        var isEnded = false
        var isWaking = false
        var lastWaking = NIODeadline.uptimeNanoseconds(0)
        var streams: [ObjectIdentifier: (signal: StreamSignal, hasComments: Bool)] = [:]
        /// The timer for comments to idle clients; nil while no stream sends comments.
        var commentTimer: RepeatedTask?
        var loop: (any EventLoop)?
    }

    private let journal: EventJournal
    private let state: Mutex<State>

    init(journal: EventJournal) {
        self.journal = journal
        let newest = journal.end.sequence
        state = Mutex(State(floor: journal.isOpen ? newest : nil, newest: newest))
    }

    func wakeStreams(on loop: any EventLoop) { state.withLock { $0.loop = loop } }

    var newest: UInt64 { state.withLock { $0.newest } }

    var streams: Int { state.withLock { $0.streams.count } }

    func publish(_ event: Event) {
        let cursor = Cursor(epoch: journal.epoch, sequence: event.sequence)
        let streamed = StreamedEvent(JournalEntry(event), cursor: cursor)
        state.withLock { state in
            state.floor = state.floor ?? event.sequence - 1
            state.events.append(streamed)
            state.newest = event.sequence
            state.size += streamed.size
            while state.events.count > Self.countLimit || state.size > Self.sizeLimit {
                let oldest = state.events.removeFirst()
                state.size -= oldest.size
                state.floor = oldest.sequence ?? state.floor
            }
        }
        wake()
    }

    /// Ends the feed; streams still send the remaining events before they end.
    func finish() {
        state.withLock { $0.isEnded = true }
        wake()
    }

    /// Returns the next step of a stream whose last event has the number `sequence`.
    func step(after sequence: UInt64) -> Step {
        state.withLock { state in
            guard let floor = state.floor else { return state.isEnded ? .end : .behind }
            guard sequence <= state.newest else { return .ahead(state.newest) }
            guard sequence < state.newest else { return state.isEnded ? .end : .nothing }
            guard sequence >= floor else { return .behind }
            // Search from the end, because most streams are near it.
            let passed = state.events.lastIndex { ($0.sequence ?? 0) <= sequence }
            let next = passed.map(state.events.index(after:)) ?? state.events.startIndex
            return .events(Array(state.events[next...].prefix(Self.stepLimit)))
        }
    }

    /// Adds a stream to wake for new events and, if `hasComments` is true, at intervals to send a comment.
    func add(_ signal: StreamSignal, hasComments: Bool = false) {
        state.withLock { state in
            state.streams[ObjectIdentifier(signal)] = (signal, hasComments)
            guard hasComments, state.commentTimer == nil else { return }
            state.commentTimer = state.loop?.scheduleRepeatedTask(
                initialDelay: Self.commentInterval, delay: Self.commentInterval
            ) { [weak self] _ in self?.comment() }
        }
    }

    func remove(_ signal: StreamSignal) {
        let timer = state.withLock { state -> RepeatedTask? in
            state.streams[ObjectIdentifier(signal)] = nil
            return state.streams.values.contains(where: \.hasComments)
                ? nil : state.commentTimer.take()
        }
        timer?.cancel()
    }

    private func comment() {
        let streams = state.withLock { Array($0.streams.values) }
        for stream in streams where stream.hasComments { stream.signal.set(.comment) }
    }

    private func wake() {
        let wakeup = state.withLock { state -> (any EventLoop, NIODeadline)? in
            guard !state.isWaking, !state.streams.isEmpty, let loop = state.loop else { return nil }
            state.isWaking = true
            return (loop, max(loop.now, state.lastWaking + Self.pause))
        }
        guard let (loop, time) = wakeup else { return }
        loop.scheduleTask(deadline: time) { [self] in
            let streams = state.withLock { state in
                state.isWaking = false
                state.lastWaking = loop.now
                return Array(state.streams.values)
            }
            for stream in streams { stream.signal.set() }
        }
    }
}
