import Events
import Glibc
import Recordings
import ServiceLifecycle
package import WireText

/// Feeds a daemon from recordings in place of scanners, and then runs on until the daemon is to end:
/// its clients can read the events meanwhile.
struct RecordingService: Service, CustomStringConvertible {
    let source: RecordingSource
    let pipeline: ScanPipeline
    let publisher: EventPublisher
    let manager: ServiceManager
    /// Fed by a timer of the main loop: there is no reader whose thread could.
    let watchdog: Watchdog
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
                try await withThrowingTaskGroup(of: (any Error)?.self) { group in
                    group.addTask { try await feedWatchdog() }
                    group.addTask {
                        try await play()
                        for await error in endings { return error }
                        throw CancellationError()
                    }
                    defer { group.cancelAll() }
                    return try await group.next() ?? nil
                }
            }
        } catch is CancellationError {}
        if let abandonment { throw abandonment }
        manager.stopping()
        try await publisher.publish(EventDraft(.stopping, time: clock.now))
        publisher.finish()
    }

    private func feedWatchdog() async throws -> (any Error)? {
        guard let interval = manager.watchdogInterval else {
            try await Task.sleep(for: .seconds(Int32.max))
            return nil
        }
        while true {
            watchdog.beat()
            try await Task.sleep(for: interval)
        }
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

    /// Names recordings, and the scanners they are played for; `isFast` leaves their pauses out.
    ///
    /// - Throws: `SystemCallError` for a file that cannot be read.
    package init(
        files: [String], scanners: ReplayScanners, isFast: Bool
    ) throws(SystemCallError) {
        // Opening a FIFO would wait for its writer.
        for file in files where access(file, R_OK) != 0 {
            throw SystemCallError(operation: "open", path: file, errno: errno)
        }
        self.files = files
        self.scanners = scanners
        self.isFast = isFast
    }
}
