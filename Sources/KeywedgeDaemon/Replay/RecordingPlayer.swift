import Dispatch
import Events
import Keystrokes
import Recordings
import Synchronization

/// Plays one recording into assemblers, as fast as its items are asked for.
struct RecordingPlayer: ~Copyable {
    /// A scanner as it takes part in a recording.
    struct Section {
        var label: ScannerLabel
        var assembler: ScanAssembler
    }

    private var reader: RecordingReader
    private var devices: RecordedDevices
    private var isFinished = false
    private var failure: RecordingError?
    /// The time of the first event, from which the others count.
    private var startMicroseconds: Int64?
    /// The latest time seen.
    private var endMicroseconds: Int64 = 0

    /// Plays a recording that has not been read from.
    ///
    /// `section` returns the scanner that a device of the recording is; it gets nil for a recording
    /// that says nothing about its device.
    init(
        _ reader: consuming RecordingReader, section: @escaping (DeviceIdentity?) -> Section
    ) {
        self.reader = reader
        devices = RecordedDevices(section: section)
    }

    var name: String { reader.name }

    /// Whether no event has come so far.
    var isEmpty: Bool { startMicroseconds == nil }

    /// The time from the first event to the last so far.
    var length: Duration { elapsed(until: endMicroseconds) }

    /// The time since the first event; a clock that stepped back counts 0.
    func elapsed(until microseconds: Int64) -> Duration {
        let span = microseconds.subtractingReportingOverflow(startMicroseconds ?? microseconds)
        return .microseconds(span.overflow ? 0 : max(0, span.partialValue))
    }

    /// The next scan or rejection; nil at the end of the recording.
    ///
    /// - Throws: The recording's error, after everything before it has been returned.
    mutating func next() throws(RecordingError) -> RecordedDevices.Played? {
        while true {
            if let played = devices.next() { return played }
            if isFinished { break }
            do {
                try step()
            } catch {
                failure = error
                isFinished = true
                let end = endMicroseconds
                devices.end { $0.disconnect(at: end) }
            }
        }
        guard let failure else { return nil }
        self.failure = nil
        throw failure
    }

    @inline(__always)
    private mutating func step() throws(RecordingError) {
        switch try reader.next() {
        case .event(let event):
            note(event.microseconds)
            devices.feed(event)
        case .device(let identity) where reader.format.takesTurns:
            devices.turn(to: identity)
        case .device(let identity):
            devices.begin(identity)
        case nil:
            isFinished = true
            devices.end { $0.finish() }
        }
    }

    @inline(__always)
    private mutating func note(_ microseconds: Int64) {
        if startMicroseconds == nil {
            startMicroseconds = microseconds
            endMicroseconds = microseconds
        } else if microseconds > endMicroseconds {
            endMicroseconds = microseconds
        }
    }
}

/// Opens, reads and plays a recording on a thread of its own; at most 512 scans wait for the consumer.
///
/// A FIFO blocks for as long as its writer wants. A consumer that is cancelled leaves such a thread
/// behind.
final class PlayedScans: Sendable {
    /// A scan or a rejection, and its time in the recording.
    struct Item: Sendable {
        let label: ScannerLabel
        let outcome: ScanAssembler.Outcome
        let elapsed: Duration
    }

    /// The end of a recording.
    struct End: Sendable {
        var name = ""
        var isEmpty = false
        var length = Duration.zero
        /// Nil if the recording was read to its end.
        var error: (any Error)?
    }

    private struct State {
        var items: [Item] = []
        var end: End?
        /// Whether the thread waits for room.
        var isFull = false
        var isAbandoned = false
    }

    /// How many items may wait for the consumer.
    private static let limit = 512

    private let state = Mutex(State())
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let room = DispatchSemaphore(value: 0)

    /// Starts the thread.
    ///
    /// - Throws: `SystemCallError` if there is no thread to be had.
    init(
        _ open: @escaping @Sendable () throws -> RecordingReader,
        section: @escaping @Sendable (DeviceIdentity?) -> RecordingPlayer.Section
    ) throws {
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        try WaitingThread.start { self.play(open, section) }
    }

    /// Calls `body` for each item, and returns the end; called once.
    ///
    /// - Throws: `CancellationError`; what `body` throws.
    nonisolated(nonsending) func forEach(
        _ body: (Item) async throws -> Void
    ) async throws -> End {
        defer { abandon() }
        for await _ in wakes {
            let (items, end) = take()
            for item in items {
                try Task.checkCancellation()
                try await body(item)
            }
            if let end { return end }
            // Signals and other tasks have their turn, however fast the recording is.
            await Task.yield()
        }
        throw CancellationError()
    }

    private func take() -> (items: [Item], end: End?) {
        let (items, end, wasFull) = state.withLock { state in
            defer {
                state.items = []
                state.isFull = false
            }
            return (state.items, state.end, state.isFull)
        }
        if wasFull { room.signal() }
        return (items, end)
    }

    private func abandon() {
        state.withLock { $0.isAbandoned = true }
        room.signal()
    }

    private func play(
        _ open: () throws -> RecordingReader,
        _ section: @escaping @Sendable (DeviceIdentity?) -> RecordingPlayer.Section
    ) {
        var end = End()
        do {
            var player = RecordingPlayer(try open(), section: section)
            end.name = player.name
            do {
                while let played = try player.next(), put(played, player) {}
            } catch {
                end.error = error
            }
            end.isEmpty = player.isEmpty
            end.length = player.length
        } catch {
            end.error = error
        }
        state.withLock { $0.end = end }
        wake.yield()
    }

    /// Adds an item, and waits for room; false if the consumer has left.
    private func put(
        _ played: RecordedDevices.Played, _ player: borrowing RecordingPlayer
    ) -> Bool {
        let elapsed = player.elapsed(until: played.outcome.endMicroseconds)
        let item = Item(label: played.label, outcome: played.outcome, elapsed: elapsed)
        let (isFirst, isFull, isAbandoned) = state.withLock { state in
            state.items.append(item)
            state.isFull = state.items.count >= Self.limit && !state.isAbandoned
            return (state.items.count == 1, state.isFull, state.isAbandoned)
        }
        if isFirst { wake.yield() }
        if isFull { room.wait() }
        return !isAbandoned
    }
}

extension ScanAssembler.Outcome {
    /// When the last key came.
    fileprivate var endMicroseconds: Int64 {
        switch self {
        case .nothing: 0
        case .scan(let scan): scan.endMicroseconds
        case .rejection(let rejection): rejection.endMicroseconds
        }
    }
}
