import Barcodes
import Catalog
import EvdevInput
import Events
import Foundation
import Keystrokes
import TestFolders
import Testing
import WireText

@testable import KeywedgeDaemon

/// A scan gives the same event whichever way it goes.
@Suite(.timeLimit(.minutes(2))) struct ScannerLaneTests {
    private let output = OutputPipe()
    private let slot: ReadySlot
    private let publisher: EventPublisher
    private let lane = ScannerLane()
    private let scanner = AttachedScanner(
        name: "counter", identity: DeviceIdentity(vendor: 0x0c2e, product: 0x0b61))
    private let folder: TemporaryFolder
    private let pipeline: ScanPipeline

    init() throws {
        (slot, publisher) = try output.publisher()
        folder = try TemporaryFolder()
        let path = try folder.write([], to: "catalog.sqlite")
        let catalog = try EmbeddedCatalog(path: path, access: .writing)
        let csv = "id,ean,name,price,currency\nP1,4006381333931,Fineliner,1.20,EUR\n"
        try catalog.importCSV(bytes: Array(csv.utf8), name: "catalog.csv")
        pipeline = ScanPipeline(
            decoder: BarcodeDecoder(), sources: CatalogSources([catalog]), clock: ContinuousClock(),
            knowsTheYear: true)
    }

    private func scan(_ text: String, keys: Int = 0, start: Int64, aim: String? = nil) -> Scan {
        let count = text.utf8.count + keys
        return Scan(
            text: text, aim: aim, keyCount: count, startMicroseconds: start,
            endMicroseconds: start + Int64(count) * 1_000)
    }

    /// Types a scan into the lane as the reader does.
    private func type(
        _ text: String, start: Int64, aim: String? = nil, anticipated: Bool
    ) async throws {
        let whole = scan(text, keys: 1, start: start, aim: aim)
        guard anticipated else {
            #expect(lane.add(.scan(scanner, whole)))
            return
        }
        // Not taken until the scan before is published.
        while !slot.release(whole, from: scanner.name) {
            try Task.checkCancellation()
            #expect(lane.add(.anticipated(scanner, scan(text, start: start, aim: aim))))
            await Task.yield()
        }
        #expect(lane.add(.released(scanner, whole)))
    }

    /// What a consumer compares: all but what is another for every event and every lookup.
    private func content(of event: WrittenEvent) throws -> JSONObject {
        var content = try #require(event.value.object)
        var data = try #require(content["data"]?.object)
        var lookup = try #require(data["lookup"]?.object)
        lookup.append("took_ms", .null)
        data.append("lookup", .object(lookup))
        content.append("data", .object(data))
        for field in ["id", "sequence", "time"] { content.append(field, .null) }
        return content
    }

    @Test(arguments: ["4006381333931", "96385074", "036000291452", "4006381333932", "1234"])
    func aReadyScanIsTheEventItWouldBeOtherwise(text: String) async throws {
        async let run: Void = lane.run(pipeline, clock: BoxClock(), to: publisher)
        try await type(text, start: 1_000_000, anticipated: true)
        try await type(text, start: 2_000_000, anticipated: false)
        try await type(text, start: 3_000_000, anticipated: true)
        try await type(text, start: 4_000_000, aim: "]E0", anticipated: true)
        try await type(text, start: 5_000_000, aim: "]E0", anticipated: false)
        lane.finish()
        try await run
        let events = try output.events(5)
        #expect(events.map(\.sequence) == [1, 2, 3, 4, 5])
        let contents = try events.map(content)
        #expect(contents[0] == contents[1] && contents[2] == contents[1])
        #expect(contents[3] == contents[4])
        #expect(events[0].type == "keywedge.scan" && events[0].text == text)
        let isKnown = text == "4006381333931"
        #expect(events[0]["data", "product", "name"] == (isKnown ? "Fineliner" : nil))
    }

    @Test func whatIsToBeRedactedIsNeverReady() async throws {
        async let run: Void = lane.run(pipeline, clock: BoxClock(), to: publisher)
        let card = "30569309025904"
        #expect(lane.add(.anticipated(scanner, scan(card, start: 1_000_000))))
        #expect(lane.add(.scan(scanner, scan(card, keys: 1, start: 1_000_000))))
        lane.finish()
        try await run
        #expect(!slot.release(scan(card, keys: 1, start: 1_000_000), from: scanner.name))
        #expect(try output.events(1).map(\.type) == ["keywedge.scan.redacted"])
    }

    @Test func behindWhatWaitsNothingIsGotReady() async throws {
        #expect(lane.add(.scan(scanner, scan("1234", start: 1_000_000))))
        for _ in 0..<2 * ScannerLane.capacity {
            #expect(lane.add(.anticipated(scanner, scan("96385074", start: 2_000_000))))
        }
        #expect(lane.add(.scan(scanner, scan("96385074", start: 2_000_000))))
        lane.finish()
        try await lane.run(pipeline, clock: BoxClock(), to: publisher)
        #expect(try output.events(2).map(\.text) == ["1234", "96385074"])
    }
}
