package import EvdevInput
import Events
package import Logging
import ServiceLifecycle
import Synchronization

/// Reads scanners for as long as the daemon runs, and publishes what they read.
package struct ScannerService: Service, CustomStringConvertible {
    private let reader: ScannerReader
    private let pipeline: ScanPipeline
    private let publisher: EventPublisher
    private let manager: ServiceManager
    private let clock: BoxClock
    private let log: Logger

    /// A name: a service group describes its services, which without one is to name all there is in
    /// them, and takes milliseconds of the start.
    package var description: String { "scanners" }

    /// Makes the service.
    ///
    /// - Parameters:
    ///   - reader: Not yet started.
    ///   - pipeline: Makes events of scans.
    ///   - publisher: Sends them.
    ///   - manager: Is told when the service is ready, and when it stops.
    ///   - clock: The clocks of the box.
    ///   - log: Where notices go.
    package init(
        reader: ScannerReader, pipeline: ScanPipeline, publisher: EventPublisher,
        manager: ServiceManager, clock: BoxClock, log: Logger
    ) {
        self.reader = reader
        self.pipeline = pipeline
        self.publisher = publisher
        self.manager = manager
        self.clock = clock
        self.log = log
    }

    /// Reads until the daemon is to stop; what was read by then is still looked up and published.
    ///
    /// Where nobody takes events any more, it lets go of the scanners at once: their keys are somebody
    /// else's from then on.
    ///
    /// - Throws: What a sink throws, or what keeps the reader from starting.
    package func run() async throws {
        let abandonment = Abandonment()
        try reader.start()
        try publisher.whenAbandoned { [reader] error in
            abandonment.note(error)
            reader.stop()
        }
        // The scanners are read: that nobody takes events yet is no reason to be started anew.
        manager.ready()
        try await publisher.publish(EventDraft(.started, time: clock.now))
        try await withGracefulShutdownHandler {
            try await read()
        } onGracefulShutdown: {
            manager.stopping()
            reader.stop()
        }
        if let error = abandonment.error { throw error }
        try await publisher.publish(EventDraft(.stopping, time: clock.now))
        publisher.finish()
    }

    /// What was told of the end of whoever takes events.
    private final class Abandonment: Sendable {
        private let told = Mutex<(any Error)?>(nil)
        var error: (any Error)? { told.withLock { $0 } }
        func note(_ error: any Error) { told.withLock { $0 = $0 ?? error } }
    }

    private func read() async throws {
        defer { reader.stop() }
        let lane = ScannerLane(pipeline: pipeline, clock: clock, publisher: publisher, log: log)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for await output in reader.outputs {
                guard case .scanner(let outputs) = output else {
                    if case .notice(let notice) = output { log.tell(notice) }
                    continue
                }
                group.addTask { try await run(lane, outputs) }
            }
            try await group.waitForAll()
        }
    }

    private func run(_ lane: ScannerLane, _ outputs: ReaderOutputs) async throws {
        do {
            try await lane.run(outputs)
        } catch {
            // Nobody takes events any more: that ends the reading, and with it the group.
            reader.stop()
            throw error
        }
    }
}
