import Events
import Logging
import ScannerInput
import ServiceLifecycle
import WebAPI

/// The service that reads scanners, and publishes their scans, until the daemon ends.
struct ScannerService: Service {
    let reader: ScannerReader
    let manager: ServiceManager
    let worker: ScannerWorker
    /// How long lookups may take after the reader stops.
    let lookupLimit: Duration

    /// Reads scanners until the daemon ends, and then publishes the last scans.
    ///
    /// If the program that receives the events ends, the scanners are released immediately, so that other programs get
    /// their keys.
    ///
    /// - Throws: A sink's error, or an error that keeps the reader from starting.
    func run() async throws {
        let (abandonments, abandonment) = AsyncStream<any Error>.makeStream()
        let stop = OneTimeSignal()
        let publisher = worker.publisher
        try publisher.whenAbandoned { [reader] error in
            abandonment.yield(error)
            reader.stop()
            stop.give()
        }
        try reader.start()
        defer { reader.stop() }
        // The daemon is ready now: if no program reads events yet, a restart would not help.
        manager.ready()
        try await publisher.publish(EventDraft(.started, time: SystemClock.now))
        try await withGracefulShutdownHandler {
            try await read(until: stop)
        } onGracefulShutdown: {
            manager.stopping()
            reader.stop()
            stop.give()
        }
        abandonment.finish()
        for await error in abandonments { throw error }
        try await publisher.publish(EventDraft(.stopping, time: SystemClock.now))
    }

    /// Reads scanners and publishes their output until the reader stops.
    ///
    /// After the signal `stop`, lookups have a limited time to finish. A scan whose lookup takes longer is published
    /// without a product.
    private func read(until stop: OneTimeSignal) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await read() }
            group.addTask {
                await stop.wait()
                try? await EventLoopClock().sleep(for: lookupLimit + Handover.grace)
            }
            try await group.next()
            // A cancelled worker still publishes what was read.
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    private func read() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            // A scanner may be attached again while its last outputs still wait for a lookup, so its workers take
            // turns.
            var turns: [String: OneTimeSignal] = [:]
            for await output in reader.outputs {
                switch output {
                case .notice(let notice):
                    worker.log.log(level: notice.isWarning ? .warning : .info, "\(notice)")
                case .scanner(let name, let outputs):
                    let (before, turn) = (turns[name], OneTimeSignal())
                    turns[name] = turn
                    group.addTask {
                        defer { turn.give() }
                        await before?.wait()
                        try await work(outputs)
                    }
                }
            }
        }
    }

    private func work(_ outputs: ScannerOutputs) async throws {
        do {
            try await worker.run(outputs)
        } catch {
            // A sink has failed permanently, so stop the reader, which also ends the group.
            reader.stop()
            throw error
        }
    }
}
