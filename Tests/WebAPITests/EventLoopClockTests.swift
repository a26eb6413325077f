import Foundation
import NIOCore
import NIOPosix
import TestWaiting
import Testing

@testable import WebAPI

@Suite struct EventLoopClockTests {
    @Test func aSleepEndsNotBeforeItsTime() async throws {
        let clock = EventLoopClock()
        let start = clock.now
        try await clock.sleep(for: .milliseconds(20))
        #expect(start.duration(to: clock.now) >= .milliseconds(20))
        try await clock.sleep(until: start, tolerance: nil)
    }

    /// An armed timer would wake up an idle process.
    @Test func aCancelledSleepLeavesNoTimerArmed() async throws {
        // A loop arms only its earliest timer, so this sleep gets a loop without other timers.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let sleeper = Task { try await EventLoopClock(on: group).sleep(for: .seconds(777_777)) }
        try await waitUntil("the timer") { try Self.hasTimer(of: 770_000...777_777) }
        sleeper.cancel()
        try await waitUntil("the end of the timer") { try !Self.hasTimer(of: 770_000...777_777) }
        try await group.shutdownGracefully()
    }

    /// Whether this process has a timer whose remaining seconds are in a range (proc_pid_fdinfo(5), timerfd).
    private static func hasTimer(of seconds: ClosedRange<Int>) throws -> Bool {
        let folder = "/proc/self/fdinfo"
        return try FileManager.default.contentsOfDirectory(atPath: folder).contains { name in
            // Another thread may close the descriptor before this reads its file.
            let text = try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            let value = text?.firstMatch(of: /it_value: \((\d+),/).flatMap { Int($0.1) }
            return value.map(seconds.contains) ?? false
        }
    }

    @Test func aSleepCanBeCancelled() async throws {
        let sleeper = Task { try await EventLoopClock().sleep(for: .seconds(3600)) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await EventLoopClock().sleep(for: .zero)
        }
        await #expect(throws: CancellationError.self) { try await late.value }
    }
}
