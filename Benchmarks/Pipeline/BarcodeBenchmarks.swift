import Barcodes
import Benchmark

/// Benchmarks of decoding texts.
enum BarcodeBenchmarks {
    /// Registers the benchmarks; each measures the time of one text.
    static func register() {
        let codes: [(name: String, text: String, aim: String?)] = [
            ("EAN-13, inferred", "4006381333931", nil),
            ("EAN-13 with AIM identifier", "4006381333931", "]E0"),
            ("UPC-E, inferred", "04252614", nil),
        ]
        for code in codes {
            Benchmark(
                "Barcodes: \(code.name)", configuration: .init(scalingFactor: .kilo)
            ) { benchmark in
                let decoder = BarcodeDecoder()
                for _ in benchmark.scaledIterations {
                    blackHole(decoder.decode(code.text, aim: code.aim))
                }
            }
        }
    }
}
