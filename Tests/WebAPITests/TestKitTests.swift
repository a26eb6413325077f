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

    @Test func whatWasRecordedIsReplayedWithoutSecrets() async throws {
        let request = Request(
            try Address("https://shop.example/items"), queries: [Query("token", "s3cret")],
            headers: [.authorization: "s3cret"])
        let outputs: [Output] = [
            .response(
                Response(
                    status: .ok, headers: [.setCookie: "s3cret", .server: "x"],
                    payload: Array("é\n".utf8))),
            .response(Response(status: .notFound, payload: [0, 255])),
        ]
        let recorder = RecordingTransport(StubTransport(outputs))
        for _ in outputs { _ = await recorder.output(for: request, within: .seconds(1)) }
        let other = Request(try Address("https://shop.example/none"))
        _ = await recorder.output(for: other, within: .seconds(1))
        let text = recorder.recording.text
        #expect(!text.contains("s3cret"))
        let recording = try ExchangeRecording(text)
        #expect(recording.text.split(separator: "\n").count == 5)
        let replay = ReplayingTransport(recording)
        var secretless = request
        secretless.queries = [Query("token", "another")]
        let first = await replay.output(for: secretless, within: .seconds(1))
        #expect(first.response?.text == "é\n")
        #expect(first.response?.headers == [.setCookie: "***", .server: "x"])
        for _ in 0..<2 {
            let next = await replay.output(for: request, within: .seconds(1))
            #expect(next.response == Response(status: .notFound, payload: [0, 255]))
        }
        let failed = await replay.output(for: other, within: .seconds(1))
        #expect(
            failed.connectionError?.description
                == "the connection failed while the connection was made: recorded: the connection "
                + "failed while the connection was made: the stub has no more than 2 outputs")
        let unknown = await replay.output(
            for: Request(try Address("https://shop.example/x")), within: .seconds(1))
        #expect(
            unknown.connectionError?.underlying
                == "nothing was recorded for GET https://shop.example/x")
    }

    @Test(arguments: [
        ("{", "the recording is no JSON: line 1, byte 1: expected a key in quotes, found the end"),
        ("{}", "entry 1 of the recording is no exchange; expected method, url and status"),
        (
            #"[{"method":"GET","url":"x","status":200},{}]"#,
            "entry 2 of the recording is no exchange; expected method, url and status"
        ),
        (
            #"[{"method":"GET","url":"x","status":200,"body":[256]}]"#,
            "entry 1 of the recording is no exchange; expected method, url and status"
        ),
    ])
    func whatIsNoRecordingIsExplained(text: String, message: String) {
        let error = #expect(throws: ExchangeRecordingError.self) { try ExchangeRecording(text) }
        #expect(error?.description == message)
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
