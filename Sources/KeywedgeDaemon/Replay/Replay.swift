import Barcodes
package import Events
import Keystrokes
package import Recordings
import WireText

/// Plays recordings through the whole pipeline.
///
/// The same recordings, configuration and catalog give the same events to the byte: time is that
/// of the recordings, counted from a given start, and ids derive from the content.
package struct Replay: Sendable {
    /// The register's name in the `source` of replayed events.
    package static let register = "replay"

    private let scanners: ReplayScanners
    private let pipeline: ScanPipeline
    private let pace: (any Clock<Duration>)?
    private var time: EventTime

    /// How many events were rejections.
    package private(set) var rejectionCount = 0
    /// How many lookups failed.
    package private(set) var lookupFailureCount = 0
    /// Why the first of them failed.
    package private(set) var firstLookupFailure: String?
    /// The names of the recordings that held no input event.
    package private(set) var emptyRecordings: [String] = []

    /// Makes a replay.
    ///
    /// - Parameters:
    ///   - scanners: Which scanner a recording is taken for.
    ///   - pipeline: What makes events of scans.
    ///   - start: The time of the first recording's first event.
    ///   - pace: The clock by which each event waits for its time; nil to wait for nothing.
    package init(
        scanners: ReplayScanners, pipeline: ScanPipeline, start: EventTime,
        pace: (any Clock<Duration>)? = nil
    ) {
        self.scanners = scanners
        self.pipeline = pipeline
        self.pace = pace
        time = start
    }

    /// A publisher for replayed events, whose ids derive from their content.
    ///
    /// - Parameter sinks: Where the events go.
    /// - Returns: A publisher whose first event has the sequence number 1.
    package static func publisher(to sinks: [any EventSink]) -> EventPublisher {
        EventPublisher(
            events: EventFactory(register: register, identifiers: .derivedFromContent),
            sinks: sinks)
    }

    /// Plays one recording; the next begins where it ends.
    ///
    /// - Parameters:
    ///   - recording: The recording, not yet read from.
    ///   - publisher: Sends the events; ``publisher(to:)`` makes one.
    /// - Throws: `RecordingError` once everything ahead of the bad line was sent,
    ///   `CancellationError`, and whatever a sink throws.
    package mutating func play(
        _ recording: consuming RecordingReader, to publisher: EventPublisher
    ) async throws {
        let name = recording.name
        var player = RecordingPlayer(recording, section: scanners.section)
        let start = time
        var detectors: [ScannerLabel: SensitiveContentDetector] = [:]
        let wait = pace.map { Self.waiting(by: $0) }
        defer { time = start.advanced(by: player.elapsed(until: player.endMicroseconds)) }
        while let played = try player.next() {
            try Task.checkCancellation()
            let elapsed = player.elapsed(until: played.outcome.endMicroseconds)
            try await wait?(elapsed)
            let time = start.advanced(by: elapsed)
            let draft = await draft(
                for: played, at: time,
                detector: &detectors[played.label, default: SensitiveContentDetector()])
            guard let draft else { continue }
            note(draft)
            try await publisher.publish(draft)
        }
        if player.isEmpty { emptyRecordings.append(name) }
    }

    private mutating func note(_ draft: EventDraft) {
        guard let reason = draft.data["lookup"]?.object?["reason"]?.string else { return }
        lookupFailureCount += 1
        firstLookupFailure = firstLookupFailure ?? reason
    }

    private mutating func draft(
        for played: RecordedDevices.Played, at time: EventTime,
        detector: inout SensitiveContentDetector
    ) async -> EventDraft? {
        switch played.outcome {
        case .nothing:
            return nil
        case .scan(let scan):
            return await pipeline.draft(
                for: scan, from: played.label, at: time, detector: &detector)
        case .rejection(let rejection):
            rejectionCount += 1
            return pipeline.draft(
                for: rejection, from: played.label, at: time, detector: &detector)
        }
    }

    /// A wait, from now on, until a span of the recording has passed.
    private static func waiting<C: Clock<Duration>>(
        by clock: C
    ) -> (Duration) async throws -> Void {
        let start = clock.now
        return { elapsed in
            try await clock.sleep(until: start.advanced(by: elapsed), tolerance: nil)
        }
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

extension EventTime {
    fileprivate func advanced(by duration: Duration) -> EventTime {
        advanced(byMicroseconds: duration.wholeMicroseconds)
    }
}
