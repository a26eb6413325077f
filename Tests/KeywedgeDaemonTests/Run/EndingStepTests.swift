import Foundation
import Logging
import ServiceLifecycle
import Synchronization
import TestWaiting
import Testing

@testable import KeywedgeDaemon

@Suite(.blocking, .timeLimit(.minutes(5))) struct EndingStepTests {
    /// Hangs in a call that no cancellation ends.
    private struct Hanging: Service {
        func run() async throws {
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
    }

    /// Ends when it is asked to, or fails then.
    private struct Ending: Service {
        struct Failed: Error {}
        var fails = false
        func run() async throws {
            try await gracefulShutdown()
            if fails { throw Failed() }
        }
    }

    /// Runs services as steps, and asks them to end; the hanging one has a limit of only 1 ms.
    private func end(
        hanging: Int, of count: Int, failing: Int? = nil
    ) throws -> EndingRecord {
        let loop = try MainLoop()
        var steps = EndingSteps(EndingLimits(deadline: .seconds(1)), on: loop)
        for index in 0..<count {
            if index == hanging {
                steps.add(
                    "hanging", Hanging(), within: .milliseconds(1), awaiting: "its last word")
            } else {
                steps.add(
                    "ending", Ending(fails: index == failing), within: .seconds(600),
                    awaiting: "another")
            }
        }
        let group = steps.group(log: Logger(label: "test"))
        try LoopedTask.run(on: loop) {
            await group.triggerGracefulShutdown()
            try await group.run()
        }
        return steps.record
    }

    @Test(arguments: 0..<3) func aServiceThatHangsIsLeftBehindAndNamed(hanging: Int) throws {
        let record = try end(hanging: hanging, of: 3)
        #expect(record.overruns == ["hanging": "gave up waiting for its last word after 1ms"])
    }

    @Test(arguments: [(0, 2), (2, 0)])
    func whatAServiceThrowsIsThrownAndTheOthersEnd(hanging: Int, failing: Int) throws {
        #expect(throws: Ending.Failed.self) {
            try end(hanging: hanging, of: 3, failing: failing)
        }
    }

    /// All limits together are shorter than the unit's `TimeoutStopSec`, for every deadline up to a minute.
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
