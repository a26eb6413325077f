import Catalog
import EventService
import Events
import Foundation
import GRDB
import HTTPCatalog
import KeywedgeConfiguration
import Sinks
import TestFolders
import Testing

@testable import KeywedgeDaemon

/// Tests how the daemon reports the status of its sources and sinks.
@Suite struct DaemonStatusTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func catalog(_ rows: String) throws -> CatalogFile {
        let path = folder.path("catalog.sqlite")
        _ = try CatalogFile(path: path, access: .writing).importCSV(
            folder.write("code,name\n\(rows)\n", to: "rows.csv"))
        return try CatalogFile(path: path)
    }

    @Test func anEmbeddedCatalogTellsWhatItHas() async throws {
        let catalog = try catalog("4006381333931,Pencil")
        let readings = CatalogReadings(of: [catalog])
        let first = try #require(await readings.statuses().first)
        #expect(first.state == SourceStatus.ready)
        #expect(first.products == 1)
        let age = try #require(first.changed).microsecondsSince1970
        #expect(abs(SystemClock.now.microsecondsSince1970 - age) < 3_600_000_000)
        // After an import, products are counted again.
        _ = try self.catalog("96385074,Chocolate")
        let second = try #require(await readings.statuses().first)
        #expect(second.products == 2)
    }

    @Test func aCatalogThatIsGoneSaysWhy() async throws {
        let catalog = try catalog("4006381333931,Pencil")
        let readings = CatalogReadings(of: [catalog])
        try FileManager.default.removeItem(atPath: catalog.path)
        let status = try #require(await readings.statuses().first)
        #expect(status.state == "missing")
        #expect(status.trouble?.contains("catalog.sqlite") == true)
        #expect(status.products == nil)
    }

    @Test func aCatalogThatIsToComeIsMissing() async throws {
        let awaited = AwaitedSource(path: folder.path("catalog.sqlite"))
        let readings = CatalogReadings(of: [awaited])
        #expect(await readings.statuses().map(\.state) == ["missing"])
        _ = try catalog("4006381333931,Pencil")
        #expect(await readings.statuses().map(\.products) == [1])
    }

    @Test func aFileThatIsThereIsNotMissing() async throws {
        let path = folder.path("catalog.sqlite")
        let readings = CatalogReadings(of: [AwaitedSource<CatalogFile>(path: path)])
        let other = try DatabaseQueue(path: path)
        try await other.write { try $0.execute(sql: "CREATE TABLE other (number)") }
        try other.close()
        let foreign = try #require(await readings.statuses().first)
        #expect(foreign.state == "unusable")
        #expect(foreign.trouble == "\(CatalogError.notACatalog(path: path))")
        try FileManager.default.removeItem(atPath: path)
        _ = try CatalogFile(path: path, access: .writing)
        let empty = try #require(await readings.statuses().first)
        #expect(empty.state == SourceStatus.ready)
        #expect(empty.products == 0)
    }

    @Test func manyWhoAskAtOnceGetTheSame() async throws {
        let readings = CatalogReadings(of: [try catalog("4006381333931,Pencil")])
        await withTaskGroup(of: [SourceStatus].self) { group in
            for _ in 0..<50 { group.addTask { await readings.statuses() } }
            for await statuses in group { #expect(statuses.map(\.products) == [1]) }
        }
    }

    @Test func aSinkIsInTroubleUntilItIsWell() throws {
        let configuration = try Configuration.parse(
            text: """
                journal: {file: \(folder.path("journal.sqlite"))}
                events: [{stdout: {}}, {exec: {name: erp, command: [/bin/true]}}]
                """, file: "k.yaml")
        let setup = DaemonSetup(configuration, sources: CatalogSources([]))
        #expect(
            setup.sinks == [
                SinkStatus(name: "erp", isDurable: true),
                SinkStatus(name: "stdout", isDurable: false),
            ])
        setup.note(.trouble("it ended with 1"), of: "erp")
        #expect(setup.sinks.first?.trouble?.message == "it ended with 1")
        setup.note(.well, of: "erp")
        #expect(setup.sinks.first?.trouble == nil)
        // The last error remains after the trouble is over.
        #expect(setup.sinks.first?.lastError?.message == "it ended with 1")
        setup.note(.warning("an event is refused"), of: "erp")
        #expect(setup.sinks.first?.trouble == nil)
        #expect(setup.sinks.first?.lastError?.message == "an event is refused")
        setup.note(.trouble("nobody"), of: "another")
        #expect(setup.sinks.count == 2)
    }
}
