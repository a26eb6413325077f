import Keystrokes
import Recordings

/// Plays one recording into assemblers, as fast as it is asked.
struct RecordingPlayer: ~Copyable {
    /// A scanner as it takes part in a recording.
    struct Section {
        var label: ScannerLabel
        var settings: ScanSettings
    }

    /// What came out, from which scanner.
    struct Played {
        var label: ScannerLabel
        var outcome: ScanAssembler.Outcome
    }

    private var reader: RecordingReader
    private let section: (DeviceIdentity?) -> Section
    private var label: ScannerLabel
    private var assembler: ScanAssembler
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
        self.section = section
        let first = section(nil)
        label = first.label
        assembler = ScanAssembler(settings: first.settings)
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
    mutating func next() throws(RecordingError) -> Played? {
        while !isFinished {
            let played: Played?
            do {
                played = try step()
            } catch {
                failure = error
                isFinished = true
                played = self.played(assembler.disconnect(at: endMicroseconds))
            }
            if let played { return played }
        }
        guard let failure else { return nil }
        self.failure = nil
        throw failure
    }

    @inline(__always)
    private mutating func step() throws(RecordingError) -> Played? {
        switch try reader.next() {
        case .event(let event):
            note(event.microseconds)
            return played(assembler.feed(event))
        case .device(let identity):
            return begin(identity)
        case nil:
            isFinished = true
            return played(assembler.finish())
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

    /// A recording of several devices holds them one after the other.
    private mutating func begin(_ identity: DeviceIdentity) -> Played? {
        let last = played(assembler.finish())
        let next = section(identity)
        label = next.label
        assembler = ScanAssembler(settings: next.settings)
        return last
    }

    @inline(__always)
    private func played(_ outcome: ScanAssembler.Outcome) -> Played? {
        if case .nothing = outcome { return nil }
        return Played(label: label, outcome: outcome)
    }
}
