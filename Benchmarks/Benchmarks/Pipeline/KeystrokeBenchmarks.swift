import Benchmark
import Keystrokes

/// Key events through the table and the assembler.
enum KeystrokeBenchmarks {
    /// Few enough for one turn of the scheduler: then other programs spoil some samples, not all.
    private static let count = 10_000

    /// Registers the benchmarks; each time is that of ten thousand.
    static func register() {
        let texts = [
            ("EAN-13", "4006381333931"),
            ("URL", "https://id.gs1.org/01/09506000134352/10/LOT-7/21/SER~9?17=261231"),
        ]
        for (kind, text) in texts {
            for content in KeyStream.Content.allCases {
                guard let stream = try? KeyStream(text, content: content) else { continue }
                for unit in KeyStream.Unit.allCases {
                    register(
                        "Keystrokes: 10^4 \(unit.rawValue), \(kind), \(content.rawValue)",
                        stream, unit)
                }
            }
        }
    }

    private static func register(_ name: String, _ stream: KeyStream, _ unit: KeyStream.Unit) {
        let rounds = stream.rounds(for: count, unit)
        Benchmark(name, configuration: .init(timeUnits: .nanoseconds)) { benchmark in
            var assembler = ScanAssembler(settings: ScanSettings())
            benchmark.startMeasurement()
            let scans = stream.feed(rounds, to: &assembler)
            benchmark.stopMeasurement()
            if scans != rounds { benchmark.error("\(scans) scans, expected \(rounds)") }
        }
    }
}
