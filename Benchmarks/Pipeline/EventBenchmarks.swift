import Barcodes
import Benchmark
import Catalog
import Events
import KeywedgeConfiguration
import KeywedgeDaemon
import Recordings
import Synchronization

/// Benchmarks from recorded text to the lines that a script reads.
enum EventBenchmarks {
    private static let code = "4006381333931"

    /// Registers the benchmarks.
    static func register() {
        registerReplay()
        for format in EventFormat.allCases { registerFormat(format) }
    }

    /// Registers a benchmark of everything except the disk and SQLite.
    private static func registerReplay() {
        let name = "Events: 10^2 scans from evemu text to events"
        Benchmark(name, configuration: .init(timeUnits: .microseconds)) {
            (benchmark, text: [UInt8]) in
            let count = try await events(from: text).count
            if count != 100 { benchmark.error("\(count) events, expected 100") }
        } setup: {
            try EvemuText.recording(of: code, scans: 100)
        }
    }

    private static func registerFormat(_ format: EventFormat) {
        let configuration = Benchmark.Configuration(timeUnits: .nanoseconds)
        Benchmark("Events: 10^2 as \(format.rawValue)", configuration: configuration) {
            (benchmark, events: [Event]) in
            let formatter = EventFormatter(format)
            var output: [UInt8] = []
            for event in events {
                output.removeAll(keepingCapacity: true)
                formatter.append(event, to: &output)
            }
            blackHole(output)
        } setup: {
            try await events(from: try EvemuText.recording(of: code, scans: 100))
        }
    }

    private static func events(from text: [UInt8]) async throws -> [Event] {
        let pipeline = ScanPipeline(
            .init(of: .standard, sources: CatalogSources([try Shelf(code: code)]), layouts: nil),
            times: .recording(hasDates: false))
        var replay = Replay(
            scanners: try ReplayScanners(configuration: .standard, name: nil), pipeline: pipeline,
            start: EventTime(microsecondsSince1970: 0))
        let events = Collector()
        try await replay.play(
            RecordingReader(bytes: text, name: "bench"), to: Replay.publisher(to: [events]))
        return events.all
    }
}

/// Keeps the events that it receives.
private final class Collector: EventSink {
    private let sent = Mutex<[Event]>([])

    var all: [Event] { sent.withLock { $0 } }

    func send(_ event: Event) { sent.withLock { $0.append(event) } }
}

/// A catalog of one product, in which a lookup costs nothing.
private struct Shelf: ProductSource {
    let name = "shelf"
    private let product: Product

    init(code: String) throws {
        product = Product(
            id: "A0000001", codes: [code], name: "Highlighter, yellow",
            price: try Currency("EUR").map { try Price(amount: "1.29", currency: $0) },
            unit: "pcs", attributes: ["colour": "yellow"])
    }

    func cachedAnswer(for barcode: Barcode) -> LookupAnswer? {
        LookupAnswer(.found(Match(key: .gtin, product: product)), origin: .embedded)
    }

    func lookup(_ barcode: Barcode, within limit: Duration) async -> LookupAnswer {
        LookupAnswer(.found(Match(key: .gtin, product: product)), origin: .embedded)
    }
}
