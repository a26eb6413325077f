import Foundation
import Glibc
import Keystrokes
import Synchronization
import TestFolders
import TestWaiting
import Testing
import WireText

@testable import ScannerInput

/// Tests the finder and the reader on their threads, with devices that the tests plug in.
@Suite(.timeLimit(.minutes(15))) struct ScannerReaderTests {
    private let devices: FakeDevices

    init() throws {
        devices = try FakeDevices()
    }

    /// Settings with which a scanner soon counts as quiet.
    private func settings(
        recovery: Duration = .milliseconds(40), terminators: ScanSettings.Terminators = .enter
    ) -> ScanSettings {
        ScanSettings(
            terminators: terminators, idleTimeout: .milliseconds(20), recovery: recovery)
    }

    /// Settings with which no pause in a test breaks a scan.
    private var patient: ScanSettings {
        ScanSettings(idleTimeout: .seconds(300), recovery: .seconds(300))
    }

    private func configuration(
        _ scanners: [ConfiguredScanner] = [], automatic: ScanSettings? = nil
    ) -> ReaderConfiguration {
        ReaderConfiguration(
            scanners: scanners, automatic: automatic ?? settings(), places: devices.places)
    }

    private func counter(
        _ settings: ScanSettings? = nil, named name: String = "counter", vendor: UInt16 = 0x0C2E
    ) -> ConfiguredScanner {
        ConfiguredScanner(
            name: name, match: DeviceMatch(vendor: vendor), settings: settings ?? self.settings())
    }

    /// Starts a reader, and returns it with a record of its outputs.
    private func started(_ configuration: ReaderConfiguration) throws -> Story {
        let reader = try ScannerReader(configuration, devices: devices)
        try reader.start()
        return Story(reader)
    }

    @Test func aScannerIsClaimedAndItsScansAreRead() async throws {
        let hardware = try devices.plug(3)
        let story = try started(configuration())
        try await story.wait(for: "connected 0c2e-0b61-usb-3")
        hardware.type("4006\n")
        try await story.wait(for: "scan 4006")
        #expect(hardware.state.console == "")
        await story.end()
        #expect(story.lines.suffix(2) == ["disconnected stopped", "end 0c2e-0b61-usb-3"])
        #expect(hardware.state.claim == nil)
    }

    @Test func aScannerThatIsPluggedInLaterIsFound() async throws {
        let story = try started(configuration())
        try await story.wait(for: "noScanner")
        try devices.plug(4).type("")
        try await story.wait(for: "connected 0c2e-0b61-usb-4")
        await story.end()
    }

    @Test func aMissingFolderOfKeyboardsIsReportedOnceWhateverElseIsAttached() async throws {
        try Data().write(to: URL(filePath: devices.folder.path("hidraw0")))
        try FileManager.default.removeItem(atPath: devices.places.nodes)
        let port = ConfiguredScanner(
            name: "port", match: DeviceMatch(serial: devices.folder.path("ttyS0")),
            settings: settings())
        let story = try started(configuration([port]))
        try await story.wait(for: "noScanner")
        #expect(!story.lines.contains("folderMissing"))
        story.reader.reconfigure(configuration([port, counter()]))
        try await story.wait(for: "folderMissing")
        story.reader.reconfigure(configuration([counter(), port]))
        try FileManager.default.createDirectory(
            atPath: devices.places.nodes, withIntermediateDirectories: false)
        try devices.plug(3)
        try await story.wait(for: "connected counter")
        #expect(story.lines.count { $0 == "folderMissing" } == 1)
        await story.end()
    }

    @Test func unpluggingInMidScanTearsItAndTheScannerReturns() async throws {
        let hardware = try devices.plug(3)
        let story = try started(configuration([counter(patient)]))
        try await story.wait(for: "begin counter")
        hardware.type("9\n")
        try await story.wait(for: "connected counter")
        hardware.type("400")
        try devices.unplug(3)
        try await story.wait(for: "end counter")
        #expect(
            story.lines.suffix(3) == ["rejected torn", "disconnected unplugged", "end counter"])
        let again = try devices.plug(5)
        try await story.wait(for: "begin counter", count: 2)
        again.type("9\n4006\n")
        try await story.wait(for: "scan 4006")
        await story.end()
    }

    @Test func aNodeThatAnotherProcessHasClaimedIsTriedAgain() async throws {
        let hardware = try devices.plug(3)
        hardware.change { $0.isClaimedElsewhere = true }
        let story = try started(configuration([counter()]))
        try await story.wait(for: "claimedElsewhere counter")
        hardware.change { $0.isClaimedElsewhere = false }
        try await story.wait(for: "connected counter")
        #expect(story.lines.count { $0.hasPrefix("claimedElsewhere") } == 1)
        await story.end()
    }

    @Test func aPortThatAnotherReaderHasIsTriedAgain() async throws {
        let scanner = try VirtualPort()
        let other = try SerialDevice(
            path: scanner.path, identity: DeviceIdentity(), settings: SerialSettings())
        let port = ConfiguredScanner(
            name: "port", match: DeviceMatch(serial: scanner.path), settings: settings())
        let reader = try ScannerReader(configuration([port]))
        try reader.start()
        let story = Story(reader)
        try await story.wait(for: "claimedElsewhere port")
        other.release()
        try await story.wait(for: "connected port")
        try scanner.send(Array("4006\r".utf8))
        try await story.wait(for: "scan 4006")
        await story.end()
    }

    @Test func permissionsThatArriveLateAreWaitedFor() async throws {
        try devices.plug(3, openErrno: EACCES)
        var configuration = configuration([counter()])
        configuration.permissionsTimeout = .milliseconds(1)
        let story = try started(configuration)
        try await story.wait(for: "noScanner")
        try devices.permit(3)
        try await story.wait(for: "connected counter")
        await story.end()
    }

    @Test func twoScannersWithOneSerialNumberAreBothClaimed() async throws {
        let one = try devices.plug(3, uniq: "SN1")
        let two = try devices.plug(4, uniq: "SN1")
        let story = try started(configuration())
        try await story.wait(for: "connected 0c2e-0b61-sn1-usb-3")
        try await story.wait(for: "connected 0c2e-0b61-sn1-usb-4")
        one.type("11\n")
        two.type("22\n")
        try await story.wait(for: "scan 11")
        try await story.wait(for: "scan 22")
        #expect(one.state.console + two.state.console == "")
        await story.end()
    }

    @Test func aSecondDeviceOfAConfiguredScannerHasItsSettingsAndANameOfItsOwn() async throws {
        try devices.plug(3)
        let second = try devices.plug(4)
        let tab = settings(terminators: .init(keys: [.tab]))
        let story = try started(configuration([counter(tab)]))
        try await story.wait(for: "connected counter")
        try await story.wait(for: "connected 0c2e-0b61-usb-4 of counter")
        #expect(story.lines.contains("anotherDevice counter 0c2e-0b61-usb-4"))
        second.type("22\t")
        try await story.wait(for: "scan 22")
        #expect(second.state.console == "")
        await story.end()
    }

    @Test func devicesThatNothingTellsApartAreNumbered() async throws {
        try devices.plug(3, hasPort: false)
        try devices.plug(4, hasPort: false)
        let story = try started(configuration())
        try await story.wait(for: "connected 0c2e-0b61")
        try await story.wait(for: "connected 0c2e-0b61-2")
        await story.end()
    }

    @Test func aClaimWaitsUntilNoKeyIsDown() async throws {
        let hardware = try devices.plug(3, held: [KeyCode.enter.rawValue])
        var configuration = configuration([counter()])
        configuration.heldKeysTimeout = .seconds(300)
        let story = try started(configuration)
        try await story.wait(for: "waitingForHeldKeys")
        #expect(hardware.state.claim == nil)
        hardware.type("12")
        hardware.release(.enter)
        try await story.wait(for: "connected counter")
        // The reader does not know what was typed before the claim.
        #expect(story.lines.contains("rejected started-before-grab"))
        await story.end()
    }

    @Test func aKeyThatOnlyRepeatsIsNoScanInProgress() async throws {
        let hardware = try devices.plug(3, held: [KeyCode.enter.rawValue])
        var configuration = configuration([counter()])
        configuration.heldKeysTimeout = .milliseconds(20)
        let story = try started(configuration)
        hardware.send(.key(.enter, 2, at: MonotonicClock.now()))
        try await story.wait(for: "connected counter")
        #expect(!story.lines.contains { $0.hasPrefix("rejected") })
        await story.end()
    }

    @Test func aKeyThatStaysDownDoesNotPreventTheClaim() async throws {
        let hardware = try devices.plug(3, held: [KeyCode.leftshift.rawValue])
        var configuration = configuration([counter(patient)])
        configuration.heldKeysTimeout = .milliseconds(20)
        let story = try started(configuration)
        try await story.wait(for: "claimedWithKeyHeld")
        try await story.wait(for: "begin counter")
        hardware.type("\n1\n")
        // The reader knows that Shift is held.
        try await story.wait(for: "scan !")
        await story.end()
    }

    @Test func whatCannotBeReadIsReleasedAndTriedAgain() async throws {
        let hardware = try devices.plug(3)
        let story = try started(configuration([counter()]))
        try await story.wait(for: "connected counter")
        hardware.fail(EIO)
        try await story.wait(for: "disconnected read failed: Input/output error (errno 5)")
        hardware.fail(nil)
        try await story.wait(for: "connected counter", count: 2)
        await story.end()
    }

    @Test func theKeyboardThatKeywedgeTypesOnIsNeverAScanner() async throws {
        let own = try devices.plug(3, phys: VirtualScanner.keyboardPhys)
        let story = try started(configuration([counter()]))
        try await story.wait(for: "noScanner")
        #expect(own.state.claim == nil)
        #expect(story.lines.contains("refused ownKeyboard"))
        await story.end()
    }

    @Test func aDeviceThatUdevMarksLaterIsClaimed() async throws {
        try devices.plug(3, vendor: 0x1234)
        let story = try started(configuration())
        try await story.wait(for: "noScanner")
        try devices.mark(3)
        try await story.wait(for: "connected 1234-0b61-usb-3")
        await story.end()
    }

    @Test func anOpenThatBlocksDelaysNeitherScansNorTheStop() async throws {
        let hardware = try devices.plug(3)
        let story = try started(configuration([counter(), counter(named: "slow", vendor: 7)]))
        try await story.wait(for: "connected counter")
        let slow = try devices.plug(4, vendor: 7, blocksOpening: true)
        try await waitUntil("the finder to open it") { slow.state.isBeingOpened }
        hardware.type("4006\n")
        try await story.wait(for: "scan 4006")
        await story.end()
        slow.letItBeOpened()
        #expect(story.lines.last == "end counter")
    }

    @Test func scannersUnderEverNewNamesLeaveNothing() async throws {
        let story = try started(configuration())
        for number in 0..<20 {
            let hardware = try devices.plug(number)
            try await story.wait(for: "connected 0c2e-0b61-usb-\(number)")
            hardware.type("\(number)1\n")
            try await story.wait(for: "scan \(number)1")
            try devices.unplug(number)
            try await story.wait(for: "end 0c2e-0b61-usb-\(number)")
        }
        await story.end()
    }

    @Test func theHeartBeatsOnTheReadersThread() async throws {
        let (threads, continuation) = AsyncStream.makeStream(of: String.self)
        var configuration = configuration()
        configuration.heartbeat = .init(interval: .milliseconds(1)) {
            let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            continuation.yield(name ?? "")
        }
        let story = try started(configuration)
        var iterator = threads.makeAsyncIterator()
        for _ in 0..<3 {
            let thread = await iterator.next()
            #expect(thread == "scanner-reader\n")
        }
        await story.end()
    }
}

/// Tests changes of the configuration while scanners are being read.
extension ScannerReaderTests {
    @Test func aScannerWithTheSameSettingsIsReadOnInTheMiddleOfAScan() async throws {
        let hardware = try devices.plug(3)
        let story = try started(configuration([counter(patient)]))
        try await story.wait(for: "begin counter")
        hardware.type("\n1\n40")
        try await story.wait(for: "scan 1")
        story.reader.reconfigure(
            configuration([counter(named: "other", vendor: 9), counter(patient)]))
        try devices.plug(5, vendor: 9)
        try await story.wait(for: "connected other")
        hardware.type("06\n")
        try await story.wait(for: "scan 4006")
        #expect(!story.lines.contains { $0.hasPrefix("disconnected") })
        await story.end()
    }

    @Test func otherSettingsStartTheScannerAgainWithoutReleasingIt() async throws {
        let hardware = try devices.plug(3)
        let story = try started(configuration([counter(patient)]))
        try await story.wait(for: "begin counter")
        hardware.type("\n40")
        try await story.wait(for: "connected counter")
        story.reader.reconfigure(
            configuration([counter(settings(terminators: .init(keys: [.tab])))]))
        try await story.wait(for: "connected counter", count: 2)
        #expect(story.lines.contains("disconnected reconfigured"))
        hardware.type("06\t")
        try await story.wait(for: "scan 06")
        #expect(hardware.state.console == "")
        await story.end()
    }

    @Test func aScannerThatLeavesTheConfigurationIsReleasedBeforeThatIsReported() async throws {
        let hardware = try devices.plug(3)
        let story = try started(configuration([counter()]))
        try await story.wait(for: "connected counter")
        story.reader.reconfigure(configuration([counter(vendor: 9)]))
        try await story.wait(for: "disconnected reconfigured")
        #expect(hardware.state.claim == nil)
        story.reader.reconfigure(configuration([counter()]))
        try await story.wait(for: "connected counter", count: 2)
        await story.end()
    }

    @Test func aStopRightAfterAReloadEndsEveryOutput() async throws {
        for number in 0..<20 {
            try devices.plug(number)
            let story = try started(configuration([counter()]))
            try await story.wait(for: "connected counter")
            story.reader.reconfigure(configuration([counter(vendor: 9)]))
            // Every output ends, whichever of the threads ends first.
            await story.end()
            #expect(story.lines.contains("end counter"))
            try devices.unplug(number)
        }
    }

    @Test func aScannerThatLeavesAndReturnsAtOnceIsClaimedAgain() async throws {
        try devices.plug(3)
        let story = try started(configuration([counter()]))
        try await story.wait(for: "connected counter")
        story.reader.reconfigure(configuration([counter(vendor: 9)]))
        story.reader.reconfigure(configuration([counter()]))
        try await story.wait(for: "connected counter", count: 2)
        #expect(!story.lines.contains { $0.hasPrefix("claimedElsewhere") })
        await story.end()
    }

    @Test func twoScannersMayExchangeTheirNames() async throws {
        let one = try devices.plug(3, vendor: 1)
        try devices.plug(4, vendor: 2)
        let story = try started(
            configuration([counter(named: "a", vendor: 1), counter(named: "b", vendor: 2)]))
        try await story.wait(for: "connected a")
        try await story.wait(for: "connected b")
        story.reader.reconfigure(
            configuration([counter(named: "a", vendor: 2), counter(named: "b", vendor: 1)]))
        try await story.wait(for: "connected a", count: 2)
        try await story.wait(for: "connected b", count: 2)
        one.type("11\n")
        try await story.wait(for: "scan 11 by b")
        await story.end()
    }

    @Test func changesThatTheKernelLostCountOfForgetNoScanner() async throws {
        let hardware = try devices.plug(3)
        let story = try started(configuration([counter(patient)]))
        try await story.wait(for: "begin counter")
        hardware.type("\n1\n40")
        try await story.wait(for: "scan 1")
        let slow = try devices.plug(4, blocksOpening: true)
        try await waitUntil("the finder to open it") { slow.state.isBeingOpened }
        // Makes more changes than the 16,384 that the kernel queues.
        for number in 0..<10_000 {
            let path = devices.folder.path("input/x\(number % 7)")
            close(creat(path, 0o600))
            unlink(path)
        }
        try devices.plug(6, phys: "usb-9/input0")
        slow.letItBeOpened()
        story.reader.reconfigure(configuration([counter(patient), counter(named: "b", vendor: 5)]))
        try devices.plug(7, vendor: 5)
        try await story.wait(for: "connected b")
        try await story.wait(for: "begin 0c2e-0b61-usb-9")
        hardware.type("06\n")
        try await story.wait(for: "scan 4006")
        await story.end()
    }
}

/// Tests taking scanners over from another process.
extension ScannerReaderTests {
    /// Keeps descriptors, as a service manager does.
    private final class Keeper: Sendable {
        private let files = Mutex<[String: FakeFile]>([:])

        var handover: Handover { handover(nodes: []) }

        func handover(nodes: [Handover.Node]) -> Handover {
            Handover(nodes: nodes) { name, descriptor in
                self.files.withLock { $0[name] = FakeFile.of(descriptor) }
            }
        }

        /// Returns the kept nodes, with the state in which a process left them.
        func nodes(_ rests: [String: ScanAssembler.Rest]) -> [Handover.Node] {
            files.withLock { files in
                files.map { name, file in
                    .init(name: name, descriptor: file.descriptor, rest: rests[name])
                }
            }
        }
    }

    /// Returns a configuration with a keeper; if `rests` is not nil, the reader takes over the kept nodes.
    private func configuration(
        _ scanners: [ConfiguredScanner], keeper: Keeper,
        _ rests: [String: ScanAssembler.Rest]? = nil
    ) -> ReaderConfiguration {
        var configuration = configuration(scanners)
        configuration.handover =
            rests.map { keeper.handover(nodes: keeper.nodes($0)) } ?? keeper.handover
        return configuration
    }

    @Test func whatIsTypedBetweenTwoProcessesIsRead() async throws {
        let keeper = Keeper()
        let hardware = try devices.plug(3)
        let first = try started(configuration([counter(patient)], keeper: keeper))
        try await first.wait(for: "begin counter")
        hardware.type("\n11\n")
        try await first.wait(for: "scan 11")
        await first.end()
        hardware.type("22\n")
        #expect(hardware.state.console == "")
        let second = try started(
            configuration([counter(patient)], keeper: keeper, first.reader.left))
        try await second.wait(for: "scan 22")
        #expect(second.lines == ["begin counter", "connected counter", "scan 22 by counter"])
        await second.end()
    }

    @Test func keysOfTwoNodesAreInTheOrderOfTheirTime() async throws {
        let keeper = Keeper()
        let one = try devices.plug(3, phys: "usb-1/input0")
        let two = try devices.plug(4, phys: "usb-1/input1")
        let first = try started(configuration([counter(patient)], keeper: keeper))
        try await first.wait(for: "begin counter")
        one.type("\n11\n")
        try await first.wait(for: "scan 11")
        try await waitUntil("the claim of the second node") { two.state.claim != nil }
        two.type("\n22\n")
        try await first.wait(for: "scan 22")
        await first.end()
        for digit in 1...8 { (digit % 2 == 0 ? one : two).type("\(digit)") }
        two.type("\n")
        let second = try started(
            configuration([counter(patient)], keeper: keeper, first.reader.left))
        try await second.wait(for: "scan 12345678")
        await second.end()
    }

    @Test func whatAKilledProcessMayHaveReadIsReported() async throws {
        let keeper = Keeper()
        let hardware = try devices.plug(3)
        let first = try started(configuration([counter()], keeper: keeper))
        try await first.wait(for: "connected counter")
        await first.end()
        let second = try started(configuration([counter()], keeper: keeper, [:]))
        try await second.wait(for: "connected counter")
        #expect(
            second.lines == ["begin counter", "rejected started-before-grab", "connected counter"])
        hardware.type("33\n")
        try await second.wait(for: "scan 33")
        await second.end()
    }

    @Test func aScannerThatWasTakenOverIsReleasedByItsDescriptor() async throws {
        let keeper = Keeper()
        let hardware = try devices.plug(3)
        let first = try started(configuration([counter()], keeper: keeper))
        try await first.wait(for: "connected counter")
        await first.end()
        let second = try started(
            configuration([counter()], keeper: keeper, first.reader.left))
        try await second.wait(for: "connected counter")
        second.reader.reconfigure(configuration([counter(vendor: 9)]))
        try await second.wait(for: "disconnected reconfigured")
        // The claim ended although the keeper still has its copy of the descriptor.
        #expect(hardware.state.claim == nil)
        hardware.type("1")
        #expect(hardware.state.console == "2 ")
        await second.end()
    }

    @Test func modifiersHeldWhileNoProcessReadsAreHeld() async throws {
        let keeper = Keeper()
        let hardware = try devices.plug(3)
        let first = try started(configuration([counter(patient)], keeper: keeper))
        try await first.wait(for: "begin counter")
        hardware.type("\n")
        try await first.wait(for: "connected counter")
        hardware.press(.leftshift)
        await first.end()
        hardware.type("1\n2\n")
        hardware.release(.leftshift)
        let second = try started(
            configuration([counter(patient)], keeper: keeper, first.reader.left))
        try await second.wait(for: "scan @")
        await second.end()
    }
}

/// Records the outputs of a reader as lines.
private final class Story: Sendable {
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func append(_ line: String) { lines.withLock { $0.append(line) } }
    }

    let reader: ScannerReader
    private let story = Lines()
    private let following: Task<Void, Never>

    init(_ reader: ScannerReader) {
        self.reader = reader
        following = Task { [story] in
            await withTaskGroup(of: Void.self) { group in
                for await output in reader.outputs {
                    switch output {
                    case .notice(let notice): story.append(notice.line)
                    case .scanner(let name, let outputs):
                        story.append("begin \(name)")
                        group.addTask {
                            for await output in outputs { story.append(output.line) }
                            story.append("end \(name)")
                        }
                    }
                }
            }
        }
    }

    var lines: [String] { story.all }

    /// Waits until `count` lines that begin with `line` have been recorded.
    func wait(for line: String, count: Int = 1) async throws {
        do {
            try await waitUntil(line) { lines.count { $0.hasPrefix(line) } >= count }
        } catch {
            Issue.record("\(lines)")
            throw error
        }
    }

    /// Stops the reader, and waits until all of its outputs are recorded.
    func end() async {
        reader.stop()
        await following.value
    }
}

extension ScannerOutput {
    fileprivate var line: String {
        switch self {
        case .connected(let scanner, _):
            "connected \(scanner.name)"
                + (scanner.configuredName.map { $0 == scanner.name ? "" : " of \($0)" } ?? "")
        case .scan(let scanner, let scan): "scan \(scan.text) by \(scanner.name)"
        case .rejected(_, let rejection): "rejected \(rejection.reason.rawValue)"
        case .lost(let count): "lost \(count)"
        case .disconnected(_, let reason): "disconnected \(reason)"
        }
    }
}

extension ReaderNotice {
    fileprivate var line: String {
        switch self {
        case .noScanner: "noScanner"
        case .folderMissing: "folderMissing"
        case .databaseMissing: "databaseMissing"
        case .claimedElsewhere(_, let scanner): "claimedElsewhere \(scanner)"
        case .noPermission: "noPermission"
        case .refused(_, _, let refusal): "refused \(refusal == .ownKeyboard ? "ownKeyboard" : "")"
        case .anotherDevice(_, let scanner, let name): "anotherDevice \(scanner) \(name)"
        case .waitingForHeldKeys: "waitingForHeldKeys"
        case .claimedWithKeyHeld: "claimedWithKeyHeld"
        case .failed(let error): "failed \(error)"
        }
    }
}
