import Foundation
import KeywedgeConfiguration
import KeywedgeTestKit
import TestFolders
import TestWaiting
import Testing

@testable import Diagnosis

/// The unit lets the daemon reach less than a command that a person runs.
@Suite struct UnitNetworkTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The unit as it is installed, beside drop-ins, with name servers and names.
    private func network(
        unit: Bool = true, dropIns: [(name: String, text: String)] = [],
        resolver: String = "nameserver 192.168.7.1\nnameserver 127.0.0.53 # local\n",
        hosts: String = "127.0.0.1 localhost\n10.9.8.7 Erp erp.lan\n"
    ) throws -> UnitNetwork {
        var network = UnitNetwork()
        if unit {
            try write(Self.unit(), to: "lib/keywedge.service")
        }
        for (name, text) in dropIns { try write(text, to: name) }
        network.folders = ["etc", "lib"].map { folder.path($0) }
        network.resolver = try folder.write(resolver, to: "resolv.conf")
        network.hosts = try folder.write(hosts, to: "hosts")
        network.addresses = { host in
            host == "erp.lan"
                ? ["10.9.8.7"]
                : host == "localhost"
                    ? ["127.0.0.1", "::1"]
                    : ["192.0.2.10", "2001:db8::10"]
        }
        return network
    }

    private func write(_ text: String, to name: String) throws {
        let file = URL(filePath: folder.path(name))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try folder.write(text, to: name)
    }

    private static func unit() throws -> String {
        var root = URL(filePath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        return try String(
            contentsOf: root.appending(path: "systemd/keywedge.service"), encoding: .utf8)
    }

    private static let allow = "[Service]\nIPAddressAllow="

    @Test(
        arguments: [
            ("127.0.0.1", [], []), ("[::1]", [], []), ("localhost", [], []),
            ("192.0.2.10", ["192.0.2.10"], []), ("[2001:db8::1]", ["2001:db8::1"], []),
            ("erp.lan", ["10.9.8.7"], []),
            ("shop.example", ["192.0.2.10", "2001:db8::10"], ["192.168.7.1"]),
        ] as [(String, [String], [String])])
    func theUnitAllowsThisBoxOnly(host: String, servers: [String], names: [String]) async throws {
        let denied = await (try network()).denied([host])
        #expect(denied.servers == servers)
        #expect(denied.nameServers == names)
    }

    @Test(
        arguments: [
            (
                [("etc/keywedge.service.d/a.conf", allow + "192.0.2.0/24 192.168.7.1\n")],
                ["2001:db8::10"]
            ),
            ([("etc/keywedge.service.d/a.conf", allow + "any\n")], []),
            (
                [("etc/keywedge.service.d/a.conf", "[Unit]\nIPAddressAllow=any\n# [Service]\n")],
                ["192.0.2.10", "2001:db8::10", "192.168.7.1"]
            ),
            ([("etc/keywedge.service.d/a.conf", "[Service]\nIPAddressDeny=\n")], []),
            // Of two drop-ins of one name, that of the administrator counts; others go by their names.
            (
                [
                    ("etc/keywedge.service.d/a.conf", allow + "any\n"),
                    ("lib/keywedge.service.d/a.conf", allow + "\n"),
                ], []
            ),
            (
                [
                    ("lib/keywedge.service.d/b.conf", allow + "\n"),
                    ("etc/keywedge.service.d/a.conf", allow + "any\n"),
                ],
                ["192.0.2.10", "2001:db8::10", "192.168.7.1", "127.0.0.53"]
            ),
            (
                [
                    (
                        "etc/keywedge.service.d/a.conf",
                        "[Service]\nIPAddressAllow = 192.0.2.10 nonsense \\\n  2001:db8::/32 192.168.7.1\n"
                    )
                ], []
            ),
            (
                [("etc/keywedge.service.d/a.txt", allow + "any\n")],
                ["192.0.2.10", "2001:db8::10", "192.168.7.1"]
            ),
        ] as [([(String, String)], [String])])
    func dropInsCount(dropIns: [(String, String)], left: [String]) async throws {
        let network = try network(dropIns: dropIns.map { (name: $0.0, text: $0.1) })
        let denied = await network.denied(["shop.example"])
        #expect(denied.servers + denied.nameServers == left)
    }

    private struct ReachingTester: SinkTester {
        func connect(_ sink: SinkConfiguration) async -> String? { nil }
        func send(_ sink: SinkConfiguration) async -> String? { nil }
    }

    @Test func eachBrokerOfSeveralIsCheckedByItsOwnHost() async throws {
        let brokers = #"["mqtt://erp.lan", "mqtt://192.0.2.99", "mqtt://localhost:1884"]"#
        let configuration = try Configuration.parse(
            text: "events: [{mqtt: {url: \(brokers)}}]", file: "k.yaml")
        let check = SinksCheck(
            configuration.events, status: nil, tester: ReachingTester(), sendsTestEvent: false,
            user: nil, network: try network())
        let finding = try #require(await check.findings().first)
        #expect(finding.verdict == .fails)
        #expect(
            finding.text.contains("keeps the daemon from 10.9.8.7, 192.0.2.99 (IPAddressDeny=)"),
            "\(finding.text)")
    }

    @Test func withoutAUnitNothingIsSaid() async throws {
        let denied = await (try network(unit: false)).denied(["shop.example"])
        #expect(denied.servers + denied.nameServers == [])
    }

    @Test func theSystemsResolverIsAskedForAllAddresses() async {
        let addresses = await UnitNetwork().addresses("localhost")
        #expect(addresses.contains { $0 == "127.0.0.1" || $0 == "::1" })
    }

    // MARK: The check

    private func report(_ network: UnitNetwork) async throws -> EndpointReport {
        try await StubServer.answering {
            TriedShop.answer($0)
        } _: { server in
            await EndpointCheck(
                try TriedShop.configuration(TriedShop.declaration(server)),
                codes: EndpointCodes(known: [.init(TriedShop.pen)]),
                opening: CatalogFactory { _ in }, unit: network, timeout: .patience,
                clock: ManualClock()
            ).run()
        }
    }

    @Test func whatTheDaemonCannotReachIsToldWithTheDropIn() async throws {
        // The service on loopback stands for one elsewhere: nothing is allowed.
        let none = [(name: "etc/keywedge.service.d/a.conf", text: "[Service]\nIPAddressAllow=\n")]
        let report = try await report(try network(dropIns: none))
        #expect(!report.holds)
        #expect(report.findings.filter { $0.verdict == .fails }.map(\.step) == [.unit])
        let lines = report.lines.joined(separator: "\n")
        #expect(
            lines.contains(
                "  FAILED  daemon          keywedge.service keeps the daemon from 127.0.0.1 "
                    + "(IPAddressDeny=), which this command reaches\n"
                    + "          Allow it."
            ), "\(lines)")
        #expect(
            lines.contains(
                "          Make the file /etc/systemd/system/keywedge.service.d/shop.conf of "
                    + "these lines:\n"
            ), "\(lines)")
        #expect(lines.contains("              [Service]\n              IPAddressAllow=127.0.0.1"))
    }

    @Test func whatTheDaemonReachesIsNotToldOf() async throws {
        let report = try await report(try network())
        #expect(report.holds)
        #expect(!report.findings.contains { $0.step == .unit })
    }
}
