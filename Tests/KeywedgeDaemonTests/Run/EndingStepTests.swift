import Foundation
import Logging
import ServiceLifecycle
import Synchronization
import Testing

@testable import KeywedgeDaemon

@Suite(.timeLimit(.minutes(5))) struct EndingStepTests {
    /// Hangs in a call that no cancellation ends.
    private struct Hanging: Service, CustomStringConvertible {
        let description = "hanging"
        func run() async throws {
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
    }

    /// Ends when it is asked to, or fails.
    private struct Ending: Service, CustomStringConvertible {
        struct Failed: Error {}
        let description = "ending"
        var fails = false
        func run() async throws {
            try await gracefulShutdown()
            if fails { throw Failed() }
        }
    }

    /// Runs services as steps and asks them to end.
    private func end(
        _ services: [any Service & CustomStringConvertible]
    ) async throws -> EndingRecord {
        let record = EndingRecord()
        try await onItsOwnThread {
            let loop = try MainLoop()
            let steps = services.map { service in
                EndingStep(
                    service: service, limit: .milliseconds(1), loop: loop, record: record,
                    culprit: { "the \(service.description) one" })
            }
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(
                    services: steps.map {
                        .init(
                            service: $0, failureTerminationBehavior: .gracefullyShutdownGroup)
                    }, logger: Logger(label: "test")))
            try LoopedTask.run(on: loop) {
                await group.triggerGracefulShutdown()
                try await group.run()
            }
        }
        return record
    }

    @Test func aServiceThatHangsIsLeftBehindAndNamed() async throws {
        let record = try await end([Ending(), Hanging(), Ending()])
        #expect(record.culprits == ["hanging": "the hanging one"])
    }

    @Test func whatAServiceThrowsIsThrownAndTheOthersEnd() async throws {
        await #expect(throws: Ending.Failed.self) {
            try await end([Ending(), Ending(fails: true), Hanging()])
        }
    }

    /// The sum of all limits, and a margin for what lies between.
    @Test func theEndIsShorterThanTheUnitAllowsWhateverIsConfigured() throws {
        let unit = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../../systemd/keywedge.service"), encoding: .utf8)
        let line = try #require(
            unit.split(separator: "\n").first { $0.hasPrefix("TimeoutStopSec=") })
        let seconds = try #require(Int(line.dropFirst("TimeoutStopSec=".count)))
        var deadline = Duration.milliseconds(1)
        while deadline <= .seconds(60) {
            let limits = EndingLimits(deadline: deadline)
            #expect(limits.total + MainLoop.lastGrace < .seconds(seconds), "\(deadline)")
            #expect(limits.lookups > min(deadline, .seconds(2)), "\(deadline)")
            deadline += .milliseconds(7)
        }
    }
}

/// Runs a task on a loop until it ends.
private final class LoopedTask: Sendable {
    private let failure = Mutex<(any Error)?>(nil)

    static func run(
        on loop: MainLoop, _ body: @escaping @Sendable () async throws -> Void
    ) throws {
        let task = LoopedTask()
        Task(executorPreference: loop) {
            do {
                try await body()
            } catch {
                task.failure.withLock { $0 = error }
            }
            loop.finish()
        }
        _ = loop.run(grace: .seconds(600)) {}
        if let error = task.failure.withLock({ $0 }) { throw error }
    }
}
