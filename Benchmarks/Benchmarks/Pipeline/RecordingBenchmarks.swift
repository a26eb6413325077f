import Benchmark
import Keystrokes
import Recordings

/// Reading recorded text, without what comes after it.
enum RecordingBenchmarks {
    private static let device = DeviceIdentity(
        name: "Bench", bus: 3, vendor: 0x0c2e, product: 0xb61)

    /// Registers the benchmarks; each time is that of a megabyte.
    static func register() {
        for hasComments in [true, false] {
            let form = hasComments ? "with" : "without"
            Benchmark(
                "Recordings: 1 MB of evemu \(form) comments",
                configuration: .init(timeUnits: .microseconds)
            ) {
                (benchmark, text: [UInt8]) in
                var reader = try RecordingReader(bytes: text, name: "bench")
                while let item = try reader.next() { blackHole(item) }
            } setup: {
                try text(hasComments: hasComments, size: 1_000_000)
            }
        }
    }

    private static func text(hasComments: Bool, size: Int) throws -> [UInt8] {
        var writer = EvemuWriter(device: device)
        var text: [UInt8] = []
        writer.appendHeader(to: &text)
        let events = try Typist().events(for: "4006381333931")
        var start: Int64 = 0
        while text.count < size {
            for var event in events {
                event.microseconds += start
                let lineStart = text.count
                writer.append(event, to: &text)
                guard !hasComments, let tab = text[lineStart...].firstIndex(of: 0x09) else {
                    continue
                }
                text.replaceSubrange(tab..., with: [0x0A])
            }
            start += 1_000_000
        }
        return text
    }
}
