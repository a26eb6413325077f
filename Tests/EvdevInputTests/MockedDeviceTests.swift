import Keystrokes
import Testing

@testable import EvdevInput

/// What the reader, the survey and the raw reader make of emulated devices.
@Suite(
    .enabled(if: Mock.isInside, "runs inside umockdev-run, where MockTests starts it"), .serialized)
struct MockedDeviceTests {
    @Test func aScanIsReadAndTheOneBeforeTheGrabIsNot() async throws {
        // Each turn leaves events behind that libevdev has, and of which epoll says nothing.
        var configuration = ReaderConfiguration()
        configuration.eventsInATurn = 1
        let reader = ScannerReader(configuration)
        try reader.start()
        var notices: [String] = []
        var stories: [Task<[String], Never>] = []
        for await output in reader.outputs {
            switch output {
            case .scanner(let outputs): stories.append(Task { await story(of: outputs, reader) })
            case .notice(let notice): notices.append("\(notice)")
            default: Issue.record("\(output) is of one scanner")
            }
        }
        try #require(stories.count == 1)
        #expect(
            notices == [
                "/dev/input/event1 (\"Scanner\") is left alone: it cannot type a scan:"
                    + " expected ten digit keys and Enter, got neither"
            ])
        #expect(
            await stories[0].value == [
                "started-before-grab", "0c2e-0b61-17031b2345 [\"/dev/input/event0\"]",
                "123", "stopped",
            ])
        try Mock.report()
    }

    /// What comes of a scanner, until its first scan has stopped the reader.
    private func story(
        of outputs: ReaderOutputs, _ reader: ScannerReader
    ) async -> [String] {
        var story: [String] = []
        for await output in outputs {
            switch output {
            case .scanner: Issue.record("a scanner is none of its own")
            case .connected(let scanner, let nodes): story.append("\(scanner.name) \(nodes)")
            case .disconnected(_, let reason): story.append("\(reason)")
            case .rejected(_, let rejection): story.append(rejection.reason.rawValue)
            case .notice(let notice): story.append("\(notice)")
            case .scan(_, let scan):
                story.append(scan.text)
                reader.stop()
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
        let reader = try RawReader(path: "/dev/input/event2")
        let description = reader.description
        #expect(description.identity == MockDevice.keyboard.identity)
        #expect(description.codes[1] == MockDevice.keyboardKeys.map(\.rawValue))
        #expect(description.properties == [])
        try Mock.report()
    }
}
