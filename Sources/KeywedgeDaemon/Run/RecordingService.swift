import Events
import Recordings
import ServiceLifecycle
import Synchronization

/// Feeds a daemon from recordings in place of scanners, and then goes on until the daemon is to end:
/// what reads events can take them meanwhile.
struct RecordingService: Service, CustomStringConvertible {
    let source: RecordingSource
    let pipeline: ScanPipeline
    let publisher: EventPublisher
    let manager: ServiceManager
    let clock: SystemClock

    /// See ``ScannerService/description``.
    var description: String { "recordings" }

    func run() async throws {
        let (endings, ending) = AsyncStream<any Error>.makeStream()
        try publisher.whenAbandoned { ending.yield($0) }
        manager.ready()
        try await publisher.publish(EventDraft(.started, time: clock.now))
        var abandonment: (any Error)?
        do {
            abandonment = try await cancelWhenGracefulShutdown {
                try await play()
                for await error in endings { return error }
                return nil
            }
        } catch is CancellationError {}
        if let abandonment { throw abandonment }
        manager.stopping()
        try await publisher.publish(EventDraft(.stopping, time: clock.now))
        publisher.finish()
    }

    private func play() async throws {
        var replay = Replay(
            scanners: source.scanners, pipeline: pipeline, start: clock.now,
            pace: source.isFast ? nil : ContinuousClock())
        for file in source.files {
            try await replay.play(try RecordingReader(path: file), to: publisher)
        }
    }
}

/// Recordings that a daemon is fed from.
package struct RecordingSource: Sendable {
    let files: [String]
    let scanners: ReplayScanners
    let isFast: Bool

    /// Names recordings.
    ///
    /// - Parameters:
    ///   - files: Their paths, in order.
    ///   - scanners: Which scanner a recording is taken for.
    ///   - isFast: Whether they are played as fast as it goes, or at their pace.
    package init(files: [String], scanners: ReplayScanners, isFast: Bool) {
        self.files = files
        self.scanners = scanners
        self.isFast = isFast
    }
}
