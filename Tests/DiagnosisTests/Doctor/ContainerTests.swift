import EventService
import Foundation
import Glibc
import HTTPService
import Keystrokes
import KeywedgeConfiguration
import ScannerInput
import TestFolders
import Testing
import WireText

@testable import Diagnosis

/// Tests that the report names parts missing in a container, but does not fail parts that no container has.
@Suite struct ContainerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var files: BoxFiles { BoxFiles(root: folder.path) }
    private let user = BoxUser(name: "990", number: geteuid(), groups: [])

    private func devices(
        _ devices: [SurveyedDevice], held: Set<String>? = nil
    ) async throws -> [Finding] {
        let time = "2026-11-21T08:00:00.000000Z"
        let scanners = held?.map { #"{"name": "\#($0)", "held_since": "\#(time)"}"# }
        let status = try scanners.map { try DaemonStatus.stub(scanners: $0.joined(separator: ",")) }
        return await DevicesCheck(
            box: Box(files) {
                $0.devices = devices
                $0.user = user
                $0.answer = status.map { .answers($0) }
                $0.grab = { _ in false }
            }
        ).findings()
    }

    private func closed(_ errno: Int32) -> SurveyedDevice {
        let error = SystemCallError(operation: "open", path: "/dev/none", errno: errno)
        return SurveyedDevice(node: "/dev/none", facts: .failure(error))
    }

    @Test func theCgroupAndTheRightsAreToldApart() async throws {
        for (errno, words) in [(EPERM, "--device-cgroup-rule="), (EACCES, "its rights")] {
            let findings = try await devices([closed(errno)])
            #expect(findings.map(\.verdict) == [.fails])
            #expect(findings[0].text.contains("/dev/none may not be opened: "))
            #expect(findings[0].text.contains(words))
        }
    }

    @Test func aClosedNodeThatIsNoScannerIsNotMentioned() async throws {
        var keyboard = closed(EACCES)
        keyboard.closedVerdict = .refused(.notKnownAsScanner)
        let findings = try await devices([keyboard])
        #expect(findings.allSatisfy { !$0.text.contains("/dev/none") })
    }

    @Test func theDaemonOfAContainerHoldsItsScanner() async throws {
        let identity = DeviceIdentity(vendor: 0x0c2e, product: 0x0b61)
        let scanner = AttachedScanner(
            name: "counter", configuredName: "counter", identity: identity)
        let facts = DeviceFacts(node: "/dev/none", identity: identity, interface: .serial)
        let device = SurveyedDevice(
            node: "/dev/none", facts: .success(facts), verdict: .taken(.configured("counter")),
            scanner: scanner, holders: [NodeHolder(process: 1, command: "keywedge")])
        #expect(try await devices([device], held: ["counter"]).map(\.verdict) == [.holds])
        #expect(try await devices([device], held: []).map(\.verdict) == [.fails])
    }

    @Test func aFolderOfDevicesThatIsNotMountedIsNamed() async throws {
        let findings = try await devices([])
        #expect(findings.map(\.verdict) == [.fails])
        #expect(findings[0].remedies[1].advice.contains("--volume=/dev/input:/dev/input"))
    }

    @Test func withoutUdevTheHostHasTheRuleAndTheDatabase() async throws {
        let check = RightsCheck(box: Box(files) { $0.user = user })
        #expect(await check.findings().map(\.verdict) == [.notTried, .warns])
        try FileManager.default.createDirectory(
            atPath: folder.path("run/udev/data"), withIntermediateDirectories: true)
        #expect(await check.findings().map(\.verdict) == [.notTried])
    }

    @Test func theFolderOfTheSocketIsAskedForIfNoUnitMakesIt() async throws {
        let check = InterfaceCheck(
            box: Box(files) {
                $0.configuration.listen = ListenSettings(socket: ListenSettings.standardSocket)
                $0.answer = .fails("it does not run")
                $0.user = user
            })
        let finding = try #require(await check.findings().first)
        #expect(finding.verdict == .fails && finding.text.contains("/run/keywedge"))
        #expect(finding.remedies[0].advice.contains("--volume=/run/keywedge:/run/keywedge"))
    }

    @Test func withoutSystemdNoCommandOfItIsAdvised() {
        let remedy = Remedy("Do it.", run: "chown 990 /x", "systemctl restart keywedge")
        #expect(remedy.withoutUnits.commands == ["chown 990 /x"])
        #expect(remedy.withoutUnits.advice.contains("restart keywedge yourself"))
        #expect(Remedy("Do it.", run: "true").withoutUnits == Remedy("Do it.", run: "true"))
    }
}
