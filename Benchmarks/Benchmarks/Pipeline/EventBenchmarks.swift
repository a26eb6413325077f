import Barcodes
import Benchmark
import Catalog
import Events
import Keystrokes
import KeywedgeDaemon

/// From a scan to the line a script reads.
enum EventBenchmarks {
    private static let shelf = Shelf(
        product: Product(
            id: "A0000001", codes: ["4006381333931"], name: "Highlighter, yellow",
            price: Currency("EUR").flatMap { try? Price(amount: "1.29", currency: $0) },
            unit: "pcs",
            attributes: ["colour": "yellow"]))
    private static let scan = Scan(
        text: "4006381333931", keyCount: 14, startMicroseconds: 0, endMicroseconds: 104_000)

    /// Registers the benchmarks; each time is that of a thousand events.
    static func register() {
        let configuration = Benchmark.Configuration(scalingFactor: .kilo)
        Benchmark("Events: 10^3 scans made events", configuration: configuration) { benchmark in
            var factory = EventFactory(register: "bench", identifiers: .derivedFromContent)
            for _ in benchmark.scaledIterations { blackHole(await event(&factory)) }
        }
        for format in EventFormat.allCases {
            Benchmark("Events: 10^3 as \(format.rawValue)", configuration: configuration) {
                (benchmark, event: Event) in
                let formatter = EventFormatter(format)
                var output: [UInt8] = []
                for _ in benchmark.scaledIterations {
                    output.removeAll(keepingCapacity: true)
                    formatter.append(event, to: &output)
                }
                blackHole(output)
            } setup: {
                var factory = EventFactory(register: "bench", identifiers: .derivedFromContent)
                return await event(&factory)
            }
        }
    }

    private static func event(_ factory: inout EventFactory) async -> Event {
        let pipeline = ScanPipeline(decoder: BarcodeDecoder(), sources: [shelf], clock: nil)
        var detector = SensitiveContentDetector()
        return await pipeline.event(
            for: scan, from: ScannerLabel(name: "counter"),
            at: EventTime(microsecondsSince1970: 1_795_248_000_123_456), detector: &detector,
            numbering: &factory)
    }
}

/// A catalog of one product, which costs nothing to look into.
private struct Shelf: ProductSource {
    let name = "shelf"
    let product: Product

    func lookup(_ barcode: Barcode) async -> LookupOutcome {
        .found(Match(key: .gtin, product: product))
    }
}
