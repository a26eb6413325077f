import Barcodes
package import Events
import Keystrokes
package import Recordings
import WireText

/// A replay of recordings through the scan pipeline.
///
/// The same recordings, configuration, catalog and start time always produce the same bytes. Event times are computed
/// from the recordings and the start time; event ids are computed from the content.
package struct Replay: Sendable {
    /// The default register name in the `source` of replayed events.
    package static let register = "replay"

    private let scanners: ReplayScanners
    private let pipeline: ScanPipeline
    private let pace: (any Clock<Duration>)?
    private var time: EventTime
    package private(set) var rejectionCount = 0
    package private(set) var lookupFailureCount = 0
    package private(set) var firstLookupFailure: String?
    package private(set) var emptyRecordings: [String] = []

    /// Creates a replay that begins at `start`; if `pace` is nil, pauses between events are skipped.
    package init(
        scanners: ReplayScanners, pipeline: ScanPipeline, start: EventTime,
        pace: (any Clock<Duration>)? = nil
    ) {
        self.scanners = scanners
        self.pipeline = pipeline
        self.pace = pace
        time = start
    }

    /// Makes a publisher that numbers events from 1, and derives their ids from their content.
    package static func publisher(
        of register: String = register, to sinks: [any EventSink]
    ) -> EventPublisher {
        EventPublisher(
            events: EventFactory(register: register, identifiers: .derivedFromContent),
            sinks: sinks)
    }

    /// Opens and plays a recording; event times continue from the end of the previous recording.
    ///
    /// - Throws: `RecordingError` after sending the events before a bad line, `CancellationError`, or a sink's error.
    nonisolated(nonsending) package mutating func play(
        _ recording: @autoclosure @escaping @Sendable () throws -> RecordingReader,
        to publisher: EventPublisher
    ) async throws {
        let start = time
        var detectors: [ScannerLabel: SensitiveContentDetector] = [:]
        let wait = pace.map { Self.waiting(by: $0) }
        let scans = try PlayedScans(recording, section: scanners.section)
        let end = try await scans.forEach { item in
            try await wait?(item.elapsed)
            let draft = await draft(
                for: item, at: start.advanced(by: item.elapsed),
                detector: &detectors[item.label, default: SensitiveContentDetector()])
            guard let draft else { return }
            note(draft)
            await publisher.room()
            try await publisher.publish(draft)
        }
        time = start.advanced(by: end.length)
        if let error = end.error { throw error }
        if end.isEmpty { emptyRecordings.append(end.name) }
    }

    private mutating func note(_ draft: EventDraft) {
        guard let reason = draft.data["lookup"]?.object?["reason"]?.string else { return }
        lookupFailureCount += 1
        firstLookupFailure = firstLookupFailure ?? reason
    }

    nonisolated(nonsending) private mutating func draft(
        for played: PlayedScans.Item, at time: EventTime,
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

    /// Returns a function that waits until the given duration has elapsed since the function was created.
    private static func waiting<C: Clock<Duration>>(
        by clock: C
    ) -> (Duration) async throws -> Void {
        let start = clock.now
        return { elapsed in
            try await clock.sleep(until: start.advanced(by: elapsed), tolerance: nil)
        }
    }
}

extension EventTime {
    fileprivate func advanced(by duration: Duration) -> EventTime {
        advanced(byMicroseconds: duration.wholeMicroseconds)
    }
}
