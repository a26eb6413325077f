import Dispatch
import Events
import Keystrokes
import Recordings
import ScannerInput
import Synchronization
import WireText

/// A player that assembles the events of a recording into scans, at the caller's pace.
struct RecordingPlayer: ~Copyable {
    struct Section {
        var label: ScannerLabel
        var assembler: InterfaceAssembler
    }

    private var reader: RecordingReader
    private var devices: RecordedDevices
    /// The time of the first event, from which elapsed time is measured; nil before that event.
    private var startMicroseconds: Int64?
    /// The latest event time so far.
    private var endMicroseconds = Int64.min

    /// Creates a player for an unread recording.
    ///
    /// `section` returns the scanner for a device's identity and interface, each of which is nil if it is not recorded.
    init(
        _ reader: consuming RecordingReader,
        section: @escaping (DeviceIdentity?, ScannerInterface?) -> Section
    ) {
        self.reader = reader
        devices = RecordedDevices(section: section)
    }

    var name: String { reader.name }

    var isEmpty: Bool { startMicroseconds == nil }

    var length: Duration { elapsed(until: endMicroseconds) }

    /// Returns the time from the first event until the given time; zero if the clock stepped back.
    func elapsed(until microseconds: Int64) -> Duration {
        .microseconds(microseconds.span(since: startMicroseconds ?? microseconds))
    }

    /// Passes each scan and rejection to `give`, until the recording ends or `give` returns false.
    ///
    /// - Throws: `RecordingError`, after everything before the bad line has been passed to `give`.
    mutating func play(_ give: (PlayedScans.Item) -> Bool) throws(RecordingError) {
        var failure: RecordingError?
        var isOver = false
        while !isOver {
            do {
                isOver = try !step()
            } catch {
                failure = error
                isOver = true
                let end = endMicroseconds
                devices.end { $0.disconnect(at: end) }
            }
            while let played = devices.next() {
                let elapsed = elapsed(until: played.outcome.endMicroseconds)
                guard
                    give(.init(label: played.label, outcome: played.outcome, elapsed: elapsed))
                else { return }
            }
        }
        if let failure { throw failure }
    }

    /// Plays the next entry of the recording; returns false at the end.
    @inline(__always)
    private mutating func step() throws(RecordingError) -> Bool {
        switch try reader.next() {
        case .event(let event): feed(.key(event))
        case .byte(let byte, let time): feed(.byte(byte, at: time))
        case .report(let bytes, let time): feed(.report(bytes, at: time))
        case .port(let identity): devices.turn(to: identity, .serial)
        case .hid(let identity, let descriptor):
            // Reports of any other HID device, such as a keyboard, are ignored.
            let layout = HIDPOSLayout(descriptor: descriptor)
            devices.turn(to: identity, .hidPOS(layout ?? .empty))
        case .device(let identity) where reader.format.takesTurns:
            devices.turn(to: identity)
        case .device(let identity):
            devices.begin(identity)
        case nil:
            devices.end { $0.finish() }
            return false
        }
        return true
    }

    @inline(__always)
    private mutating func feed(_ event: DeviceEvent) {
        startMicroseconds = startMicroseconds ?? event.microseconds
        endMicroseconds = max(endMicroseconds, event.microseconds)
        devices.feed(event)
    }
}

/// The scans of a recording; a separate thread reads up to a few hundred scans in advance.
///
/// Reading a FIFO may block indefinitely, so the thread may outlive its consumer.
final class PlayedScans: Sendable {
    /// A scan or a rejection, and its time in the recording.
    struct Item: Sendable {
        let label: ScannerLabel
        let outcome: ScanAssembler.Outcome
        let elapsed: Duration
    }

    struct End: Sendable {
        var name = ""
        var isEmpty = false
        var length = Duration.zero
        /// The error that ended the recording early; nil if the recording was read to its end.
        var error: (any Error)?
    }

    /// The number of scans and rejections in a chunk; at most two chunks wait for the consumer.
    private static let chunk = 256
    /// The number of items that the consumer processes before other tasks and signals get a turn.
    private static let turn = 64

    private let items: AsyncStream<Item>
    private let input: AsyncStream<Item>.Continuation
    private let end = Mutex(End())
    private let room = DispatchSemaphore(value: 0)
    private let isAbandoned = Atomic(false)

    init(
        _ open: @escaping @Sendable () throws -> RecordingReader,
        section: @escaping @Sendable (DeviceIdentity?, ScannerInterface?) -> RecordingPlayer.Section
    ) throws {
        (items, input) = AsyncStream.makeStream()
        // Dispatch crashes if a semaphore is freed while its value is lower than at its creation, so begin with 0.
        for _ in 0..<2 { room.signal() }
        try WaitingThread.start {
            self.play(open, section)
            self.input.finish()
        }
    }

    /// Calls `body` for each item, and returns how the recording ended; must be called only once.
    ///
    /// - Throws: `CancellationError`; errors thrown by `body`.
    nonisolated(nonsending) func forEach(
        _ body: (Item) async throws -> Void
    ) async throws -> End {
        defer {
            isAbandoned.store(true, ordering: .releasing)
            room.signal()
        }
        var count = 0
        for await item in items {
            try Task.checkCancellation()
            try await body(item)
            count += 1
            if count % Self.chunk == 0 { room.signal() }
            if count % Self.turn == 0 { await Task.yield() }
        }
        try Task.checkCancellation()
        return end.withLock { $0 }
    }

    private func play(
        _ open: () throws -> RecordingReader,
        _ section:
            @escaping @Sendable (DeviceIdentity?, ScannerInterface?) -> RecordingPlayer.Section
    ) {
        var end = End()
        defer { self.end.withLock { $0 = end } }
        do {
            var player = RecordingPlayer(try open(), section: section)
            end.name = player.name
            var count = 0
            do {
                try player.play { item in
                    if count % Self.chunk == 0 { room.wait() }
                    count += 1
                    input.yield(item)
                    return !isAbandoned.load(ordering: .acquiring)
                }
            } catch {
                end.error = error
            }
            end.isEmpty = player.isEmpty
            end.length = player.length
        } catch {
            end.error = error
        }
    }
}

extension ScanAssembler.Outcome {
    fileprivate var endMicroseconds: Int64 {
        switch self {
        case .nothing: 0
        case .scan(let scan): scan.endMicroseconds
        case .rejection(let rejection): rejection.endMicroseconds
        }
    }
}
