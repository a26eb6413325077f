import Events
import Glibc
import Recordings
import ServiceLifecycle
package import WireText

/// The service that plays recordings instead of reading scanners, and then waits until the daemon ends, so that clients
/// can read the events.
struct RecordingService: Service {
    let source: RecordingSource
    let pipeline: ScanPipeline
    let publisher: EventPublisher
    let manager: ServiceManager

    func run() async throws {
        let (endings, ending) = AsyncStream<any Error>.makeStream()
        try publisher.whenAbandoned { ending.yield($0) }
        manager.ready()
        try await publisher.publish(EventDraft(.started, time: SystemClock.now))
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
        try await publisher.publish(EventDraft(.stopping, time: SystemClock.now))
    }

    private func play() async throws {
        var replay = Replay(
            scanners: source.scanners, pipeline: pipeline, start: SystemClock.now,
            pace: source.isFast ? nil : ContinuousClock())
        for file in source.files {
            try await replay.play(try RecordingReader(path: file), to: publisher)
        }
    }
}

package struct RecordingSource: Sendable {
    let files: [String]
    let scanners: ReplayScanners
    let isFast: Bool

    /// Creates a source of recordings; the file `-` means standard input, and `isFast` skips the recorded pauses.
    ///
    /// - Throws: `SystemCallError` if a file cannot be read.
    package init(files: [String], scanners: ReplayScanners, isFast: Bool) throws(SystemCallError) {
        // Do not open the files, because opening a FIFO would wait for its writer.
        for file in files where file != "-" && access(file, R_OK) != 0 {
            throw SystemCallError(operation: "open", path: file, errno: errno)
        }
        self.files = files
        self.scanners = scanners
        self.isFast = isFast
    }
}
