import Benchmark
import Catalog

/// Benchmarks of lookups in the embedded catalog and imports into it.
enum CatalogBenchmarks {
    /// Registers the benchmarks; those of lookups measure the time of one lookup.
    static func register() {
        for size in [1_000, 100_000, 1_000_000] {
            for target in LookupTarget.allCases { registerLookup(target, in: size) }
            registerImport(of: size)
        }
    }

    private static func registerLookup(_ target: LookupTarget, in size: Int) {
        Benchmark("Catalog: lookup among \(size), \(target.rawValue)") {
            (benchmark, fixture: LookupFixture) in
            try fixture.lookUp(benchmark.currentIteration)
        } setup: {
            try LookupFixture(size: size, target: target)
        }
    }

    private static func registerImport(of size: Int) {
        let configuration = Benchmark.Configuration(
            warmupIterations: 0, maxDuration: .seconds(15), maxIterations: 5)
        Benchmark("Catalog: import of \(size)", configuration: configuration) {
            (benchmark, csv: [UInt8]) in
            let folder = try TemporaryFolder()
            let file = try folder.write(csv, to: "bench.csv")
            benchmark.startMeasurement()
            let catalog = try CatalogFile(path: folder.path + "/c.sqlite", access: .writing)
            let summary = try catalog.importCSV(file)
            benchmark.stopMeasurement()
            if summary.added != size {
                benchmark.error("\(summary.added) products, expected \(size)")
            }
        } setup: {
            Assortment(size: size).csv
        }
    }
}
