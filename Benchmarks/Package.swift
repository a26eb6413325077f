// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who uses keywedge fetches what only the benchmarks need.
let package = Package(
    name: "keywedge-benchmarks",
    dependencies: [
        .package(name: "keywedge", path: ".."),
        // Without traits it leaves malloc and the Swift runtime as they are in the product.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        .executableTarget(
            name: "Pipeline",
            dependencies: [
                "KeyStreams",
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "Keystrokes", package: "keywedge"),
                .product(name: "Barcodes", package: "keywedge"),
                .product(name: "KeywedgeInternals", package: "keywedge"),
                .product(name: "KeywedgeTestKit", package: "keywedge"),
                .product(name: "WebAPI", package: "keywedge"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Benchmarks/Pipeline",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        .target(
            name: "KeyStreams",
            dependencies: [.product(name: "Keystrokes", package: "keywedge")],
            path: "Benchmarks/KeyStreams"
        ),
        .executableTarget(
            name: "LayoutRate",
            dependencies: [
                "KeyStreams",
                .product(name: "Keystrokes", package: "keywedge"),
                .product(name: "KeywedgeInternals", package: "keywedge"),
            ],
            path: "Benchmarks/LayoutRate"
        ),
        .executableTarget(
            name: "DecodeRate",
            dependencies: [.product(name: "Barcodes", package: "keywedge")],
            path: "Benchmarks/DecodeRate"
        ),
        .executableTarget(
            name: "WebAPIRate",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "WebAPI", package: "keywedge"),
            ],
            path: "Benchmarks/WebAPIRate"
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
