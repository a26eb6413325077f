import Benchmark
import KeyLayouts
import KeyStreams
import Keystrokes

/// Benchmarks of key events that pass through the table and the assembler.
enum KeystrokeBenchmarks {
    /// Few enough for one turn of the scheduler, so that other programs affect only some of the samples.
    private static let count = 10_000

    /// Registers the benchmarks; each measures the time of ten thousand events or presses.
    static func register() {
        let us = ScanSettings()
        for (kind, text) in texts {
            for content in KeyStream.Content.allCases {
                for unit in KeyStream.Unit.allCases {
                    register("\(kind), \(content.rawValue)", text, us, content, unit)
                }
            }
        }
        // Layouts with and without Shift for digits, with dead keys, or with another script should cost the same.
        for layout in ["cz", "fr", "jp", "de:nodeadkeys", "ru"] {
            guard let table = try? CompiledLayout(named: layout).table else { continue }
            register(
                "EAN-13 on \(layout)", texts[0].text, ScanSettings(table: table), .all, .events)
        }
    }

    private static let texts = [
        (kind: "EAN-13", text: "4006381333931"),
        (kind: "URL", text: "https://id.gs1.org/01/09506000134352/10/LOT-7/21/SER~9?17=261231"),
    ]

    private static func register(
        _ name: String, _ text: String, _ settings: ScanSettings, _ content: KeyStream.Content,
        _ unit: KeyStream.Unit
    ) {
        let stream = try? KeyStream(text, settings: settings, content: content)
        guard let stream else { return }
        let rounds = stream.rounds(for: count, unit)
        let name = "Keystrokes: 10^4 \(unit.rawValue), \(name)"
        Benchmark(name, configuration: .init(timeUnits: .nanoseconds)) { benchmark in
            var assembler = ScanAssembler(settings: settings)
            benchmark.startMeasurement()
            let scans = stream.feed(rounds, to: &assembler)
            benchmark.stopMeasurement()
            if scans != rounds { benchmark.error("\(scans) scans, expected \(rounds)") }
        }
    }
}
