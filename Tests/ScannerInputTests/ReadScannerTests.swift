import Glibc
import Keystrokes
import Testing

@testable import ScannerInput

/// Tests a scanner that is being read, with events that the tests pass to it.
@Suite struct ReadScannerTests {
    private let attached = AttachedScanner(name: "counter", identity: DeviceIdentity())
    private let scanner: ReadScanner

    init() {
        scanner = ReadScanner(
            ReaderLoop.Plan(
                scanner: attached,
                assembler: InterfaceAssembler(
                    .keyboard(KeyCapabilities(hasDigits: true, hasEnter: true)),
                    settings: ScanSettings())),
            outputs: ScannerOutputs(capacity: 100))
    }

    private func node(_ number: dev_t, _ origin: ClaimedNode.Origin) throws -> ClaimedNode {
        let hardware = FakeHardware(number: number, identity: DeviceIdentity())
        return ClaimedNode(
            path: "/e\(number)", device: FakeDevice(try FakeFile(hardware)), origin: origin)
    }

    /// Adds nodes that an earlier process left between two scans.
    private func addWhole(_ numbers: dev_t...) throws {
        scanner.add(try numbers.map { try node($0, .resumed(ScanAssembler.Rest())) }, at: 0)
    }

    private func receive(_ codes: UInt16..., at time: Int64) {
        for (offset, code) in codes.enumerated() {
            let at = time + Int64(offset) * 1_000
            let key = KeyCode(rawValue: code)
            for event in [KeyEvent.key(key, 1, at: at), .report(at: at), .key(key, 0, at: at)] {
                scanner.receive(.key(event))
            }
        }
    }

    /// Ends the outputs, and returns them as words.
    private func outputs(of other: ReadScanner? = nil) async -> [String] {
        let scanner = other ?? scanner
        scanner.outputs.finish()
        var words: [String] = []
        for await output in scanner.outputs {
            switch output {
            case .connected: words.append("connected")
            case .scan(_, let scan): words.append(scan.text)
            case .rejected(_, let rejection):
                words.append("\(rejection.reason.rawValue) \(rejection.keyCount)")
            case .lost: words.append("lost")
            case .disconnected(_, let reason): words.append("\(reason)")
            }
        }
        return words
    }

    @Test func aScannerThatWasLeftBetweenTwoScansIsReadAtOnce() async throws {
        try addWhole(1)
        receive(2, 28, at: 1_000)
        #expect(await outputs() == ["connected", "1"])
    }

    @Test func eventsOfSeveralNodesAreAssembledInTheOrderOfTheirTime() async throws {
        try addWhole(1, 2)
        receive(2, at: 1_000)
        receive(4, 28, at: 3_000)
        receive(3, at: 2_000)
        scanner.order(upTo: .max)
        #expect(await outputs() == ["connected", "123"])
    }

    @Test func eventsOfSeveralNodesWaitForOlderOnes() async throws {
        try addWhole(1, 2)
        receive(2, at: 1_000)
        receive(4, 28, at: 3_000)
        scanner.order(upTo: 1_500)
        #expect(scanner.hasUnorderedEvents)
        receive(3, at: 2_000)
        scanner.order(upTo: 4_000)
        #expect(!scanner.hasUnorderedEvents)
        #expect(await outputs() == ["connected", "123"])
    }

    @Test func eventsOfOneNodeKeepTheirOrder() async throws {
        try addWhole(1)
        receive(2, at: 2_000)
        receive(3, 28, at: 1_000)
        // A clock that steps back breaks the scan, but the events are not sorted by their times.
        #expect(await outputs() == ["connected", "idle 3"])
    }

    /// Returns a scanner between two scans, with an interface whose events have no times from the kernel.
    private func late(
        _ interface: ScannerInterface, _ settings: ScanSettings = ScanSettings()
    ) throws -> ReadScanner {
        let scanner = ReadScanner(
            ReaderLoop.Plan(
                scanner: attached, assembler: InterfaceAssembler(interface, settings: settings)),
            outputs: ScannerOutputs(capacity: 100))
        scanner.add([try node(1, .resumed(ScanAssembler.Rest()))], at: 0)
        return scanner
    }

    @Test(
        arguments: [
            (600_000, "idle 13"), (9_999_999, "idle 13"), (10_000_000, "torn 13"),
            (60_000_000, "torn 13"),
        ] as [(Int64, String)])
    func aPauseOfTheReaderGivesNoShorterCode(stall: Int64, rejection: String) async throws {
        let layout = try #require(HIDPOSLayout(descriptor: HIDDescriptors.newland))
        let scanner = try late(.hidPOS(layout))
        func report(_ text: String, continued: UInt8) -> DeviceEvent {
            let data = Array(text.utf8)
            let bytes =
                [2, UInt8(data.count)] + data + [UInt8](repeating: 0, count: 61 - data.count)
            return .report(bytes + [continued], at: continued == 1 ? 1_000 : 1_000 + stall)
        }
        // All reports arrived at once, but the reader paused after it had read the first.
        scanner.receive(report("40063", continued: 1))
        scanner.receive(report("81333931", continued: 0))
        scanner.receive(report("12345670", continued: 0))
        #expect(await outputs(of: scanner) == ["connected", rejection, "12345670"])
    }

    @Test func bytesReadLateNeitherCompleteNorContinueAScan() async throws {
        let settings = ScanSettings(
            terminators: .none, idleTimeout: .milliseconds(80))
        let scanner = try late(.serial, settings)
        for byte in "111".utf8 { scanner.receive(.byte(byte, at: 1_000)) }
        for byte in "222".utf8 { scanner.receive(.byte(byte, at: 30_000_000)) }
        scanner.advance(to: 60_000_000)
        for byte in "333".utf8 { scanner.receive(.byte(byte, at: 70_000_000)) }
        scanner.advance(to: 80_000_000)
        #expect(await outputs(of: scanner) == ["connected", "torn 6", "333"])
    }

    @Test func bytesThatAnswerASignalAreNoScanUnlessTheyAreInACode() async throws {
        let scanner = try late(.serial)
        for byte in "\u{06}1\r".utf8 { scanner.receive(.byte(byte, at: 0)) }
        scanner.expectAnswer(at: 0)
        for (text, time) in [
            ("\u{06}", 2_000_000), ("1\u{15}2\r", 2_000_000), ("\u{06}3\r", 60_000_000),
        ] as [(String, Int64)] {
            for byte in text.utf8 { scanner.receive(.byte(byte, at: time)) }
        }
        #expect(await outputs(of: scanner) == ["connected", "\u{06}1", "1\u{15}2", "3"])
    }

    @Test func aReportThatAnswersASignalIsNoScanUnlessItIsLate() async throws {
        let layout = try #require(HIDPOSLayout(descriptor: HIDDescriptors.honeywell))
        let scanner = try late(.hidPOS(layout))
        scanner.expectAnswer(at: 0)
        for (text, time) in [("]X0a", 2_000_000), ("]E0b", 2_000_000), ("]X0c", 2_000_001)]
            as [(String, Int64)]
        {
            let report = [2, 1] + Array(text.utf8) + [UInt8](repeating: 0, count: 58)
            scanner.receive(.report(report, at: time))
        }
        #expect(await outputs(of: scanner) == ["connected", "b", "c"])
    }

    @Test func keysAfterTheClaimMayBeTheRestOfAScan() async throws {
        scanner.add([try node(1, .claimed(sawKeys: false))], at: 0)
        receive(2, 28, at: 1_000)
        receive(3, 28, at: 3_000)
        #expect(await outputs() == ["started-before-grab 2", "connected", "2"])
    }

    @Test func keysFromBeforeTheClaimThatAreReadAfterItAreRejectedWithTheRest() async throws {
        scanner.add([try node(1, .claimed(sawKeys: false))], at: 10_000)
        receive(2, 3, 28, at: 8_500)
        #expect(await outputs() == ["started-before-grab 3", "connected"])
    }

    @Test func silenceAfterTheClaimIsNoRejection() async throws {
        scanner.add([try node(1, .claimed(sawKeys: false))], at: 0)
        scanner.advance(to: 60_000_000)
        #expect(scanner.deadline == nil)
        #expect(await outputs() == ["connected"])
    }

    @Test(arguments: [ClaimedNode.Origin.claimed(sawKeys: true), .resumed(nil)])
    func whatMayHaveBeenScannedUnseenIsReportedOnce(origin: ClaimedNode.Origin) async throws {
        scanner.add([try node(1, origin)], at: 0)
        scanner.advance(to: 60_000_000)
        scanner.adopt(
            try node(2, .claimed(sawKeys: false)), inMidScan: false, at: 70_000_000)
        scanner.advance(to: 190_000_000)
        #expect(await outputs() == ["started-before-grab 0", "connected"])
    }

    @Test func goingAwayInMidScanTearsIt() async throws {
        try addWhole(1)
        receive(2, 3, at: 1_000)
        scanner.remove(1, at: 5_000)
        scanner.end(.unplugged)()
        #expect(await outputs() == ["connected", "torn 2", "unplugged"])
    }

    @Test func whatTheOtherNodesContinueToTypeIsTornToo() async throws {
        try addWhole(1, 2)
        receive(2, at: 1_000)
        scanner.order(upTo: .max)
        scanner.remove(2, at: 5_000)
        receive(3, 28, at: 6_000)
        #expect(await outputs() == ["connected", "torn 3"])
    }

    @Test func aLossOnOneNodeTearsTheScanThatAnotherNodeEnds() async throws {
        try addWhole(1, 2)
        receive(2, at: 1_000)
        scanner.order(upTo: .max)
        // The first node lost keys before the second node's Enter, but reports this later.
        receive(28, at: 5_000)
        DeviceEvent.loss(at: 9_000).forEach(scanner.receive)
        receive(3, 28, at: 10_000)
        receive(4, 28, at: 20_000)
        scanner.order(upTo: .max)
        #expect(await outputs() == ["connected", "torn 2", "torn 2", "3"])
    }

    @Test func aLossOnOneNodeForgetsNoKeyThatIsHeldOnAnother() async throws {
        var shifted = try node(2, .resumed(ScanAssembler.Rest()))
        let hardware = FakeHardware(number: 2, identity: DeviceIdentity())
        hardware.change { $0.held = [KeyCode.leftshift.rawValue] }
        shifted = ClaimedNode(
            path: "/e2", device: FakeDevice(try FakeFile(hardware)), origin: shifted.origin)
        scanner.add([try node(1, .resumed(ScanAssembler.Rest())), shifted], at: 0)
        DeviceEvent.loss(at: 1_000).forEach(scanner.receive)
        receive(28, 30, 28, at: 2_000)
        scanner.order(upTo: .max)
        #expect(await outputs() == ["connected", "torn 1", "A"])
    }

    @Test func goingAwayBeforeAnyKeyCameIsNoRejection() async throws {
        scanner.add([try node(1, .claimed(sawKeys: false))], at: 0)
        scanner.remove(1, at: 1)
        scanner.end(.unplugged)()
        #expect(await outputs() == [])
    }

    @Test func keysThatAreDownAtTheClaimAreHeld() async throws {
        var claimed = try node(1, .claimed(sawKeys: false))
        claimed.heldKeys = [.leftshift]
        scanner.add([claimed], at: 0)
        receive(28, 30, 28, at: 1_000)
        #expect(await outputs() == ["started-before-grab 1", "connected", "A"])
    }

    @Test(arguments: [true, false])
    func aClaimInMidScanWaitsForTheRecovery(inMidScan: Bool) async throws {
        scanner.add([try node(1, .claimed(sawKeys: inMidScan))], at: 0)
        scanner.advance(to: 2_100_000)
        receive(2, 28, at: 2_200_000)
        let expected = inMidScan ? ["started-before-grab 2", "connected"] : ["connected", "1"]
        #expect(await outputs() == expected)
    }

    @Test func oneNodeOfUnknownStateMakesTheScannersStateUnknown() async throws {
        scanner.add(
            [try node(1, .resumed(nil)), try node(2, .resumed(ScanAssembler.Rest()))], at: 0)
        receive(2, 28, at: 1_000)
        scanner.order(upTo: .max)
        #expect(await outputs() == ["started-before-grab 2", "connected"])
    }

    @Test func aSecondNodeForgetsNoModifierOfTheFirst() async throws {
        let hardware = FakeHardware(number: 1, identity: DeviceIdentity())
        hardware.change { $0.held = [KeyCode.leftshift.rawValue] }
        let first = ClaimedNode(
            path: "/e1", device: FakeDevice(try FakeFile(hardware)),
            origin: .claimed(sawKeys: false), heldKeys: [.leftshift])
        scanner.add([first], at: 0)
        scanner.add([try node(2, .claimed(sawKeys: false))], at: 1)
        receive(28, 30, 28, at: 1_000)
        scanner.order(upTo: .max)
        #expect(await outputs() == ["started-before-grab 1", "connected", "A"])
    }

    @Test func aKeyThatRepeatsSinceTheClaimDelaysTheScannerForTenTimesTheRecoveryTime()
        async throws
    {
        scanner.add([try node(1, .claimed(sawKeys: false))], at: 0)
        scanner.receive(.key(.key(KeyCode(rawValue: 5), 2, at: 1_000)))
        scanner.advance(to: 99_000_000)
        #expect(scanner.deadline == 100_000_000)
        scanner.advance(to: 100_000_000)
        #expect(await outputs() == ["connected"])
    }

    @Test func aKeyThatIsStuckAtTheClaimDelaysNothing() async throws {
        var claimed = try node(1, .claimed(sawKeys: false))
        claimed.heldKeys = [.enter, KeyCode(rawValue: 2)]
        scanner.add([claimed], at: 0)
        scanner.advance(to: 2_000_000)
        #expect(await outputs() == ["connected"])
    }

    /// Returns presses of keys with their times.
    private static func presses(_ keys: KeyValuePairs<UInt16, Int64>) -> [DeviceEvent] {
        keys.map { .key(.key(KeyCode(rawValue: $0), 1, at: $1)) }
    }

    @Test func eventsThatWaitedAreAssembledInOrder() async throws {
        var one = try node(1, .resumed(ScanAssembler.Rest()))
        var two = try node(2, .resumed(ScanAssembler.Rest()))
        one.pending = Self.presses([2: 1, 4: 3])
        two.pending = Self.presses([3: 2, 28: 4])
        scanner.add([one, two], at: 10)
        scanner.order(upTo: .max)
        #expect(await outputs() == ["connected", "123"])
    }

    @Test func keysThatWereDownBeforeEventsFollowFromTheEvents() {
        let shift = KeyCode.leftshift
        let events: [KeyEvent] = [
            .key(.enter, 1, at: 1), .key(.enter, 0, at: 2), .key(shift, 0, at: 3),
            .key(.tab, 1, at: 4),
        ]
        let keys = events.map(DeviceEvent.key)
        #expect(keys.keysDownBefore(now: [.tab, .space]) == [shift, .space])
        #expect((DeviceEvent.loss(at: 0) + keys).keysDownBefore(now: []) == [])
    }
}
