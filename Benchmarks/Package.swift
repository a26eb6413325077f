// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who uses keywedge fetches what only the benchmarks need.
let package = Package(
    name: "keywedge-benchmarks",
    dependencies: [
        .package(name: "keywedge", path: ".."),
        // Without traits it leaves malloc and the Swift runtime as they are in the product.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "Pipeline",
            dependencies: [
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "Keystrokes", package: "keywedge"),
                .product(name: "Barcodes", package: "keywedge"),
                .product(name: "KeywedgeInternals", package: "keywedge"),
            ],
            path: "Benchmarks/Pipeline",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        .executableTarget(
            name: "DecodeRate",
            dependencies: [.product(name: "Barcodes", package: "keywedge")],
            path: "Benchmarks/DecodeRate"
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}
