import Barcodes
import Catalog
import Events
import Keystrokes
import KeywedgeConfiguration
import Logging
import ScannerInput
import Synchronization
import TestFolders
import TestWaiting
import Testing
import WireText

@testable import KeywedgeDaemon

/// Tests that a scanner's outputs become events in the same order.
@Suite(.blocking, .timeLimit(.minutes(10))) struct ScannerWorkerTests {
    private let output = OutputPipe()
    private let scanner = AttachedScanner(
        name: "counter", identity: DeviceIdentity(vendor: 0x0c2e, product: 0x0b61))
    private let folder: TemporaryFolder
    private let pipeline: ScanPipeline

    init() throws {
        folder = try TemporaryFolder()
        let path = try folder.write([], to: "catalog.sqlite")
        let catalog = try CatalogFile(path: path, access: .writing)
        let csv = "id,ean,name,price,currency\nP1,4006381333931,Fineliner,1.20,EUR\n"
        try catalog.importCSV(folder.write(csv, to: "catalog.csv"))
        pipeline = ScanPipeline(
            .init(of: .standard, sources: CatalogSources([catalog]), layouts: nil))
    }

    private func scan(_ text: String) -> ScannerOutput {
        .scan(
            scanner,
            Scan(text: text, keyCount: 14, startMicroseconds: 0, endMicroseconds: 13_500))
    }

    /// Runs a worker with outputs, and returns the events that it writes.
    private func events(of outputs: [ScannerOutput]) async throws -> [WrittenEvent] {
        let worker = ScannerWorker(
            pipeline: pipeline, publisher: output.publisher,
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await worker.run(
            AsyncStream { input in
                for output in outputs { input.yield(output) }
                input.finish()
            })
        return try output.events(outputs.count)
    }

    @Test func eachOutputGivesAnEvent() async throws {
        let rejection = Rejection(
            reason: .torn, text: "12", position: 2, keyCount: 3, startMicroseconds: 0,
            endMicroseconds: 1)
        let events = try await events(of: [
            .connected(scanner, nodes: ["/dev/input/event7"]), scan("4006381333931"),
            .rejected(scanner, rejection), scan("96385074"), .disconnected(scanner, .unplugged),
        ])
        #expect(
            events.map(\.type) == [
                "keywedge.scanner.connected", "keywedge.scan", "keywedge.scan.rejected",
                "keywedge.scan", "keywedge.scanner.disconnected",
            ])
        #expect(events.map(\.sequence) == [1, 2, 3, 4, 5])
        #expect(events.allSatisfy { $0["source"] == "/keywedge/r/scanners/counter" })
        #expect(events[0]["data", "nodes"] == ["/dev/input/event7"])
        #expect(events[1].text == "4006381333931")
        #expect(events[1]["data", "keystrokes"] == ["count": 14, "duration_ms": 13])
        #expect(events[1]["data", "product", "name"] == "Fineliner")
        #expect(events[2]["data", "reason"] == "torn")
        #expect(events[3]["data", "lookup", "status"] == "not-found")
        #expect(events[4]["data", "reason"] == "unplugged")
    }

    @Test func aPaymentCardIsRedactedAndTheScanBehindItIsNot() async throws {
        let events = try await events(of: [scan("4111111111111111"), scan("4006381333931")])
        #expect(events.map(\.type) == ["keywedge.scan.redacted", "keywedge.scan"])
        #expect(events.map(\.text) == [nil, "4006381333931"])
    }

    @Test(arguments: ["1970-01-01T00:05:00Z", "2026-11-27T12:00:00Z"])
    func theCenturyOfADateDoesNotDependOnAClockThatIsNotSet(time: String) async throws {
        var detector = SensitiveContentDetector()
        let text = "https://id.gs1.org/01/04006381333931?17=280101"
        let draft = await pipeline.draft(
            for: Scan(text: text, keyCount: 28, startMicroseconds: 0, endMicroseconds: 13_500),
            from: ScannerLabel(name: "counter", settingsName: nil),
            at: try #require(EventTime(rfc3339: time)), detector: &detector)
        #expect("\(draft.data)".contains("2028-01-01"))
    }

    @Test func workersOfOneNameRunOneAfterAnother() async throws {
        let log = Lines()
        let turns = (0..<3).map { _ in OneTimeSignal() }
        await withDiscardingTaskGroup { group in
            for index in [2, 1, 0] {
                group.addTask {
                    defer { turns[index].give() }
                    if index > 0 { await turns[index - 1].wait() }
                    log.append(index)
                }
            }
        }
        #expect(log.all == [0, 1, 2])
    }

    private final class Lines: Sendable {
        private let lines = Mutex<[Int]>([])
        var all: [Int] { lines.withLock { $0 } }
        func append(_ line: Int) { lines.withLock { $0.append(line) } }
    }
}
