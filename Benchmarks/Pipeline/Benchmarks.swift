import Benchmark

/// Registers every benchmark; the tool looks for this name.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = Benchmark.Configuration(
        metrics: [.wallClock], warmupIterations: 3, maxDuration: .seconds(1), maxIterations: 100_000
    )
    KeystrokeBenchmarks.register()
    RecordingBenchmarks.register()
    BarcodeBenchmarks.register()
    EventBenchmarks.register()
    CatalogBenchmarks.register()
    HTTPCatalogBenchmarks.register()
}
