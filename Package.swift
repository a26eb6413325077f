// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "keywedge",
    products: [
        .executable(name: "keywedge", targets: ["KeywedgeCLI"]),
        .library(name: "Keystrokes", targets: ["Keystrokes"]),
        .library(name: "Barcodes", targets: ["Barcodes"]),
        // For the benchmarks, which are a package of their own; no promise to anybody else.
        .library(
            name: "KeywedgeInternals",
            targets: ["WireText", "Recordings", "Catalog", "Events", "KeywedgeDaemon"]
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(name: "Keystrokes"),
        .target(name: "Barcodes"),
        .target(name: "WireText"),
        .systemLibrary(
            name: "CLibevdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
        .systemLibrary(
            name: "CXKBCommon", pkgConfig: "xkbcommon", providers: [.apt(["libxkbcommon-dev"])]),
        .systemLibrary(
            name: "CXKBRegistry", pkgConfig: "xkbregistry",
            providers: [.apt(["libxkbregistry-dev"])]),
        .target(
            name: "KeyLayouts",
            dependencies: ["Keystrokes", "WireText", "CXKBCommon", "CXKBRegistry"]),
        .target(name: "Recordings", dependencies: ["Keystrokes"]),
        .target(name: "EvdevInput", dependencies: ["Keystrokes", "CLibevdev"]),
        .target(
            name: "Catalog",
            dependencies: ["Barcodes", .product(name: "GRDB", package: "GRDB.swift")]
        ),
        .target(name: "Events", dependencies: ["WireText"]),
        .target(
            name: "KeywedgeDaemon",
            dependencies: [
                "Keystrokes", "Barcodes", "WireText", "KeyLayouts", "Recordings", "EvdevInput",
                "Catalog", "Events",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Yams", package: "Yams"),
            ]
        ),
        .executableTarget(
            name: "KeywedgeCLI",
            dependencies: [
                "KeywedgeDaemon", "Keystrokes", "Barcodes", "WireText", "KeyLayouts", "Recordings",
                "EvdevInput", "Catalog", "Events",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .testTarget(name: "KeystrokesTests", dependencies: ["Keystrokes"]),
        .testTarget(name: "BarcodesTests", dependencies: ["Barcodes"]),
        .testTarget(name: "KeyLayoutsTests", dependencies: ["KeyLayouts", "Keystrokes"]),
        .testTarget(name: "RecordingsTests", dependencies: ["Recordings", "Keystrokes"]),
        .testTarget(
            name: "CatalogTests",
            dependencies: ["Catalog", "Barcodes", .product(name: "GRDB", package: "GRDB.swift")]
        ),
        .testTarget(name: "EvdevInputTests", dependencies: ["EvdevInput", "Keystrokes"]),
        .target(name: "TestTexts", path: "Tests/TestTexts"),
        .testTarget(name: "WireTextTests", dependencies: ["WireText", "TestTexts"]),
        .testTarget(name: "EventsTests", dependencies: ["Events", "WireText", "TestTexts"]),
        .testTarget(
            name: "KeywedgeDaemonTests",
            dependencies: [
                "KeywedgeDaemon", "Keystrokes", "Barcodes", "WireText", "KeyLayouts", "Recordings",
                "EvdevInput", "Catalog", "Events",
            ]
        ),
        .testTarget(name: "KeywedgeCLITests", dependencies: ["KeywedgeCLI"]),
    ],
    swiftLanguageModes: [.v6]
)

/// Warnings are errors where the environment asks for it (CI does), for our own targets only.
let strictness: [SwiftSetting] =
    Context.environment["KEYWEDGE_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + strictness + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
        ]
}
