import Keystrokes
import Testing

@testable import ScannerInput

/// Tests the reader, the survey and the raw reader with emulated devices.
@Suite(
    .enabled(if: Mock.isInside, "runs inside umockdev-run, where MockTests starts it"), .serialized)
struct MockedDeviceTests {
    @Test func aScanIsReadAndTheOneBeforeTheGrabIsNot() async throws {
        // With one event in each turn, events stay in libevdev's buffer, which epoll cannot see.
        var configuration = ReaderConfiguration()
        configuration.eventsInATurn = 1
        let reader = try ScannerReader(configuration)
        try reader.start()
        // Stops after the reader has read a scan and the finder has judged the other device, in either order.
        let (steps, step) = AsyncStream<Void>.makeStream()
        let stopping = Task {
            var steps = steps.makeAsyncIterator()
            for _ in 0..<2 { await steps.next() }
            reader.stop()
        }
        var notices: [String] = []
        var stories: [Task<[String], Never>] = []
        for await output in reader.outputs {
            switch output {
            case .scanner(_, let outputs):
                stories.append(Task { await story(of: outputs) { step.yield() } })
            case .notice(let notice):
                notices.append("\(notice)")
                step.yield()
            }
        }
        await stopping.value
        try #require(stories.count == 1)
        #expect(
            notices == [
                "/dev/input/event1 (\"Scanner\") is left alone: it cannot type a scan:"
                    + " expected ten digit keys and Enter, got neither"
            ])
        #expect(
            await stories[0].value == [
                "started-before-grab",
                "0c2e-0b61-17031b2345-usb-0000-00-14-0-2 [\"/dev/input/event0\"]",
                "123", "stopped",
            ])
        try Mock.report()
    }

    /// Returns the outputs of a scanner as words, and calls `scanned` for each scan.
    private func story(of outputs: ScannerOutputs, scanned: () -> Void) async -> [String] {
        var story: [String] = []
        for await output in outputs {
            switch output {
            case .connected(let scanner, let nodes): story.append("\(scanner.name) \(nodes)")
            case .disconnected(_, let reason): story.append("\(reason)")
            case .rejected(_, let rejection): story.append(rejection.reason.rawValue)
            case .lost(let count): story.append("\(count) lost")
            case .scan(_, let scan):
                story.append(scan.text)
                scanned()
            }
        }
        return story
    }

    @Test func theSurveySaysWhatWouldBeTaken() throws {
        let devices = DeviceSurvey().devices()
        #expect(devices.map(\.node) == (0...2).map { "/dev/input/event\($0)" })
        #expect(
            devices.map(\.verdict) == [
                .taken(.knownMaker("Honeywell (Metrologic)")),
                .refused(.cannotType(KeyCapabilities(hasDigits: false, hasEnter: false))),
                .refused(.notKnownAsScanner),
            ])
        #expect(
            try devices.map { try $0.facts.get().identity } == MockDevice.all.map(\.identity))
        try Mock.report()
    }

    @Test func aRawReaderDescribesTheDevice() throws {
        let reader = try RawReader(paths: ["/dev/input/event2"])
        #expect(reader.identity == MockDevice.keyboard.identity)
        #expect(reader.keyCodes == MockDevice.keyboardKeys)
        try Mock.report()
    }
}
