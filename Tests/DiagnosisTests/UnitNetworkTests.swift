import Foundation
import KeywedgeConfiguration
import KeywedgeTestKit
import Sinks
import TestFolders
import TestWaiting
import Testing

@testable import Diagnosis

/// Tests the check for hosts that a person's command reaches, but that the unit does not let the daemon reach.
@Suite struct UnitNetworkTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path("etc"), withIntermediateDirectories: true)
        try folder.write(
            "nameserver 192.168.7.1\nnameserver 127.0.0.53 # local\n", to: "etc/resolv.conf")
        try folder.write("127.0.0.1 localhost\n10.9.8.7 Erp erp.lan\n", to: "etc/hosts")
    }

    /// The properties of the installed unit, as `systemctl show` prints them.
    private static let installed = """
        LoadState=loaded
        IPAddressAllow=127.0.0.0/8 ::1/128
        IPAddressDeny=::/0 0.0.0.0/0
        """

    private func network(_ shown: String = installed) -> UnitNetwork {
        UnitNetwork(UnitState(shown), files: BoxFiles(root: folder.path)) { host in
            switch host {
            case "erp.lan": ["10.9.8.7"]
            case "localhost": ["127.0.0.1", "::1"]
            default: ["192.0.2.10", "2001:db8::10"]
            }
        }
    }

    @Test(
        arguments: [
            ("127.0.0.1", [], []), ("[::1]", [], []), ("localhost", [], []),
            ("192.0.2.10", ["192.0.2.10"], []), ("[2001:db8::1]", ["2001:db8::1"], []),
            ("erp.lan", ["10.9.8.7"], []),
            ("shop.example", ["192.0.2.10", "2001:db8::10"], ["192.168.7.1"]),
        ] as [(String, [String], [String])])
    func theUnitAllowsThisBoxOnly(host: String, servers: [String], names: [String]) async {
        let denied = await network().denied([host])
        #expect(denied.servers == servers)
        #expect(denied.nameServers == names)
    }

    @Test(
        arguments: [
            ("192.0.2.0/24 192.168.7.1/32 127.0.0.0/8", "::/0 0.0.0.0/0", ["2001:db8::10"]),
            ("::/0 0.0.0.0/0", "::/0 0.0.0.0/0", []), ("", "", []),
            (
                "", "::/0 0.0.0.0/0",
                ["192.0.2.10", "2001:db8::10", "192.168.7.1", "127.0.0.53"]
            ),
            ("", "192.0.2.0/28", ["192.0.2.10"]), ("", "192.0.2.0/29", []),
            ("nonsense 192.0.2.10/33", "192.0.2.10/32", ["192.0.2.10"]),
        ] as [(String, String, [String])])
    func theUnitsPropertiesCount(allowed: String, denied: String, left: [String]) async {
        let shown = "LoadState=loaded\nIPAddressAllow=\(allowed)\nIPAddressDeny=\(denied)"
        let found = await network(shown).denied(["shop.example"])
        #expect(found.servers + found.nameServers == left)
    }

    /// In a chroot, `systemctl show` prints nothing and succeeds.
    @Test(arguments: [["systemctl": ""], [:]])
    func withoutSystemdNoUnitIsSeen(outputs: [String: String]) async {
        #expect(await UnitState.asked(UnitState.daemon, StubPrograms.output(outputs)) == nil)
    }

    @Test func eachBrokerOfSeveralIsCheckedByItsOwnHost() async throws {
        let brokers = #"["mqtt://10.9.8.7", "mqtt://192.0.2.99", "mqtt://localhost:1884"]"#
        let configuration = try Configuration.parse(
            text: "events: [{mqtt: {url: \(brokers)}}]", file: "k.yaml")
        let check = SinksCheck(
            box: Box(BoxFiles(root: folder.path)) {
                $0.configuration = configuration
                $0.unit = UnitState(Self.installed)
            })
        let finding = try #require(await check.findings().first)
        #expect(finding.verdict == .fails)
        #expect(
            finding.text.contains("keeps the daemon from 10.9.8.7, 192.0.2.99 (IPAddressDeny=)"),
            "\(finding.text)")
    }

    @Test func theSystemsResolverIsAskedForAllAddresses() async {
        let addresses = await UnitNetwork.lookedUp("localhost")
        #expect(addresses.contains { $0 == "127.0.0.1" || $0 == "::1" })
    }

    // MARK: The check

    private func report(_ network: UnitNetwork) async throws -> Report {
        try await StubServer.answering {
            TriedShop.answer($0)
        } _: { server in
            await EndpointCheck(
                catalog: try TriedShop.configuration(TriedShop.declaration(server)),
                codes: EndpointCodes(known: [.init(TriedShop.pen)]),
                opening: CatalogFactory { _ in }, unit: network, timeout: .patience,
                clock: ManualClock()
            ).run()
        }
    }

    @Test func whatTheDaemonCannotReachIsToldWithTheDropIn() async throws {
        // The service on loopback represents one on another host: the unit allows nothing.
        let report = try await report(
            network("LoadState=loaded\nIPAddressAllow=\nIPAddressDeny=::/0 0.0.0.0/0"))
        #expect(!report.holds)
        #expect(report.findings.filter { $0.verdict == .fails }.map(\.subject) == [.daemon])
        let lines = report.lines.joined(separator: "\n")
        #expect(
            lines.contains(
                "✗ FAILED    daemon         keywedge.service keeps the daemon from 127.0.0.1 "
                    + "(IPAddressDeny=), which this command reaches\n"
                    + "            → Allow it."
            ), "\(lines)")
        #expect(
            lines.contains(
                "              Make the file /etc/systemd/system/keywedge.service.d/shop.conf of "
                    + "these lines:\n"
            ), "\(lines)")
        #expect(
            lines.contains(
                "                  [Service]\n                  IPAddressAllow=127.0.0.1"))
    }

    @Test func whatTheDaemonReachesIsNotToldOf() async throws {
        let report = try await report(network())
        #expect(report.holds)
        #expect(!report.findings.contains { $0.subject == .daemon })
    }
}
