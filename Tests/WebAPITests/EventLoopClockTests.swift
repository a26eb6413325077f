import Testing
import WebAPI

@Suite struct EventLoopClockTests {
    @Test func aSleepEndsNotBeforeItsTime() async throws {
        let clock = EventLoopClock()
        let start = clock.now
        try await clock.sleep(for: .milliseconds(20))
        #expect(start.duration(to: clock.now) >= .milliseconds(20))
        try await clock.sleep(until: start, tolerance: nil)
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
