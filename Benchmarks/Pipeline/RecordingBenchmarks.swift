import Benchmark
import Recordings

/// Benchmarks of reading recorded text, without the steps after that.
enum RecordingBenchmarks {
    /// Registers the benchmarks; each measures the time of ten thousand lines.
    static func register() {
        for hasComments in [true, false] {
            let form = hasComments ? "with" : "without"
            Benchmark(
                "Recordings: 10^4 lines of evemu \(form) comments",
                configuration: .init(timeUnits: .microseconds)
            ) { (benchmark, text: [UInt8]) in
                var reader = try RecordingReader(bytes: text, name: "bench")
                while let item = try reader.next() { blackHole(item) }
            } setup: {
                // 14 keys, each pressed and released, each followed by a report: 56 lines a scan.
                try EvemuText.recording(
                    of: "4006381333931", scans: 10_000 / 56, hasComments: hasComments)
            }
        }
    }
}
