import HTTPTypes
import KeywedgeTestKit
import Testing
import WebAPI

@Suite struct TestKitTests {
    @Test func aManualClockGoesOnlyWhenItIsTold() async throws {
        let clock = ManualClock()
        async let first: Void = clock.sleep(for: .seconds(2))
        async let second: Void = clock.sleep(for: .seconds(3))
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        try await first
        #expect(clock.now.sinceStart == .seconds(2))
        clock.advance(by: .seconds(1))
        try await second
        #expect(clock.slept.sorted() == [.seconds(2), .seconds(3)])
        try await clock.sleep(until: clock.now, tolerance: nil)
    }

    @Test func aSleepOnAManualClockCanBeCancelled() async throws {
        let clock = ManualClock()
        let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers()
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        let late = Task {
            for await _ in AsyncStream<Void>(unfolding: { nil }) {}
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    @Test func aStubAnswerIsHTTP() {
        #expect(
            String(
                decoding: StubAnswer.json("{}", status: 404, headers: ["X-A": "b"]).bytes,
                as: UTF8.self)
                == "HTTP/1.1 404 Not Found\r\nX-A: b\r\nContent-Type: application/json\r\n"
                + "Content-Length: 2\r\n\r\n{}")
    }
}
