import Barcodes
import Catalog
import Events
import KeywedgeConfiguration
import KeywedgeDaemon
import Recordings
import Synchronization
import WireText

/// Products in memory, by GTIN or text.
struct Shelf: ProductSource {
    let name = "shelf"
    var products: [String: Product]

    init(_ products: [String: Product]) {
        self.products = products
    }

    func lookup(_ barcode: Barcode, within limit: Duration) async -> LookupAnswer {
        let product = barcode.gtin.flatMap { products[$0.text] } ?? products[barcode.text]
        return LookupAnswer(
            product.map { .found(Match(key: .text, product: $0)) } ?? .notFound, origin: .embedded)
    }
}

/// A source whose lookups all fail.
struct BrokenSource: ProductSource {
    let name = "broken"

    func lookup(_ barcode: Barcode, within limit: Duration) async -> LookupAnswer {
        LookupAnswer(.failed(LookupFailure(.unreachable, "It is broken.")), attempts: 2)
    }
}

/// A clock whose time never advances; it records the deadline of each sleep, and does not wait.
final class RecordingClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let asked = Mutex<[Duration]>([])
    var sleeps: [Duration] { asked.withLock { $0 } }
    var now: Instant { Instant(offset: .zero) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        asked.withLock { $0.append(deadline.offset) }
    }
}

func replayer(
    sources: [any ProductSource] = [], configuration: String = "", scanner: String? = nil,
    pace: (any Clock<Duration>)? = nil
) throws -> Replay {
    let configuration = try Configuration.parse(text: configuration, file: "test.yaml")
    return Replay(
        scanners: try ReplayScanners(configuration: configuration, name: scanner),
        pipeline: ScanPipeline(
            .init(of: configuration, sources: CatalogSources(sources), layouts: nil),
            times: .recording(hasDates: false)),
        start: EventTime(microsecondsSince1970: 0), pace: pace)
}

func recording(_ text: String) throws(RecordingError) -> RecordingReader {
    try RecordingReader(bytes: Array(text.utf8), name: "test.keys")
}

/// Replays a recording in `.keys` format, and returns the events' lines.
func replay(
    _ text: String, sources: [any ProductSource] = [], configuration: String = "",
    scanner: String? = nil
) async throws -> [String] {
    var replay = try replayer(sources: sources, configuration: configuration, scanner: scanner)
    let events = SentEvents()
    try await replay.play(recording(text), to: events.publisher)
    return events.lines
}

/// Keeps the events that a replay sends.
final class SentEvents: EventSink {
    private let sent = Mutex<[Event]>([])

    var all: [Event] { sent.withLock { $0 } }

    var publisher: EventPublisher { Replay.publisher(to: [self]) }

    var lines: [String] {
        all.map { String(decoding: $0.line, as: UTF8.self) }
    }

    func send(_ event: Event) { sent.withLock { $0.append(event) } }
}

extension String {
    /// The `id` of the event in this line.
    var eventID: String? {
        guard case .object(let object)? = try? JSONReader.read(self) else { return nil }
        return object["id"]?.string
    }
}

extension Event {
    /// The type and the text: `keywedge.scan 4006381333931`.
    var summary: String { "\(type.rawValue) \(data["text"]?.string ?? "")" }
}
