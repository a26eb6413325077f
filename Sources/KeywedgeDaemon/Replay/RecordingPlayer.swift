import Keystrokes
import Recordings

/// Plays one recording into assemblers, as fast as it is asked.
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
    private(set) var endMicroseconds: Int64 = 0

    /// Makes a player.
    ///
    /// - Parameters:
    ///   - reader: The recording, not yet read from.
    ///   - section: Which scanner a device of the recording is; asked with nil for a recording that
    ///     says nothing of its device.
    init(
        _ reader: consuming RecordingReader, section: @escaping (DeviceIdentity?) -> Section
    ) {
        self.reader = reader
        devices = RecordedDevices(section: section)
    }

    /// Whether no event has come so far.
    var isEmpty: Bool { startMicroseconds == nil }

    /// How far a time is from the first event's; a clock that stepped back counts 0.
    func elapsed(until microseconds: Int64) -> Duration {
        let span = microseconds.subtractingReportingOverflow(startMicroseconds ?? microseconds)
        return .microseconds(span.overflow ? 0 : max(0, span.partialValue))
    }

    /// The next scan or rejection.
    ///
    /// - Returns: What came out; nil at the end of the recording.
    /// - Throws: What is wrong with the recording, once everything ahead of it has been returned.
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
