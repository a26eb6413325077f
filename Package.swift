// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "keywedge",
    products: [
        .executable(name: "keywedge", targets: ["KeywedgeCLI"]),
        .library(name: "Keystrokes", targets: ["Keystrokes"]),
        .library(name: "Barcodes", targets: ["Barcodes"]),
        .library(name: "WebAPI", targets: ["WebAPI", "WireText"]),
        .library(name: "KeywedgeTestKit", targets: ["KeywedgeTestKit"]),
    ],
    // A package that uses a library selects its traits: `traits: []` for Keystrokes and Barcodes, which
    // fetches no other package, or `traits: ["WebAPI"]` for WebAPI and KeywedgeTestKit.
    traits: [
        .default(enabledTraits: ["Command"]),
        .trait(name: "WebAPI", description: "What WebAPI and KeywedgeTestKit need."),
        .trait(name: "Command", description: "What the command needs.", enabledTraits: ["WebAPI"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(name: "Keystrokes"),
        .target(name: "WireText"),
        .target(name: "Barcodes", dependencies: ["WireText"]),
        .systemLibrary(
            name: "CLibevdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
        .systemLibrary(
            name: "CXKBCommon", pkgConfig: "xkbcommon", providers: [.apt(["libxkbcommon-dev"])]),
        .systemLibrary(
            name: "CXKBRegistry", pkgConfig: "xkbregistry",
            providers: [.apt(["libxkbregistry-dev"])]),
        .systemLibrary(
            name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
        // System calls that Swift cannot make directly.
        .target(name: "CLinux"),
        .systemLibrary(
            name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .target(
            name: "KeyLayouts",
            dependencies: ["Keystrokes", "WireText", "CXKBCommon", "CXKBRegistry"]),
        .target(name: "Recordings", dependencies: ["Keystrokes", "WireText"]),
        .target(name: "ScannerInput", dependencies: ["Keystrokes", "WireText", "CLibevdev"]),
        .target(
            name: "WebAPI",
            dependencies: [
                "WireText",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ]
        ),
        .target(
            name: "KeywedgeTestKit",
            dependencies: [
                "WebAPI",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ]
        ),
        .target(
            name: "Catalog",
            dependencies: [
                "Barcodes", "WireText",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        .target(
            name: "HTTPCatalog",
            dependencies: [
                "Barcodes", "WireText", "WebAPI", "Catalog",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .target(
            name: "CatalogFeeds",
            dependencies: [
                "Catalog", "WireText", "WebAPI", "CZstd",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .target(
            name: "HTTPService",
            dependencies: [
                "WireText",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        .target(
            name: "CatalogService",
            dependencies: [
                "Barcodes", "WireText", "Catalog", "HTTPService",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            // The OpenAPI document, which the service serves.
            resources: [.embedInCode("openapi.json")]
        ),
        .target(name: "Events", dependencies: ["WireText"]),
        .target(
            name: "Journal",
            dependencies: [
                "Events", "WireText", "CLinux",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .target(
            name: "EventService",
            dependencies: [
                "WireText", "WebAPI", "Events", "Journal", "HTTPService",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            // The OpenAPI document and the live page, which the service serves.
            resources: [.embedInCode("openapi.json"), .embedInCode("Page")]
        ),
        .target(
            name: "Sinks",
            dependencies: [
                "Keystrokes", "WireText", "ScannerInput", "WebAPI", "Events", "Journal",
                "CMosquitto",
                "CLinux",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .target(
            name: "KeywedgeConfiguration",
            dependencies: [
                "Keystrokes", "Barcodes", "WireText", "KeyLayouts", "ScannerInput", "WebAPI",
                "Catalog", "HTTPCatalog", "Events", "Journal", "Sinks", "EventService",
                "HTTPService",
                .product(name: "Yams", package: "Yams"),
            ],
            // A link to examples/catalogs, so that the command knows the presets by name on every machine.
            resources: [.embedInCode("Presets")]
        ),
        .target(
            name: "Diagnosis",
            dependencies: [
                "Keystrokes", "Barcodes", "WireText", "KeyLayouts", "ScannerInput", "WebAPI",
                "Catalog", "CatalogFeeds", "HTTPCatalog", "Journal", "HTTPService", "EventService",
                "Sinks",
                "KeywedgeConfiguration",
            ],
            // A link to udev/72-keywedge.rules, whose content `keywedge doctor` suggests if the file is missing.
            resources: [.embedInCode("keywedge.rules")]
        ),
        .target(
            name: "KeywedgeDaemon",
            dependencies: [
                "Keystrokes", "Barcodes", "WireText", "KeyLayouts", "Recordings", "ScannerInput",
                "WebAPI", "Catalog", "CatalogFeeds", "HTTPCatalog", "Events", "Journal",
                "HTTPService", "EventService",
                "KeywedgeConfiguration", "Sinks", "CLinux",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .executableTarget(
            name: "KeywedgeCLI",
            dependencies: [
                "KeywedgeDaemon", "Keystrokes", "Barcodes", "WireText", "KeyLayouts", "Recordings",
                "ScannerInput", "WebAPI", "Catalog", "HTTPCatalog", "CatalogFeeds",
                "CatalogService", "HTTPService", "Events",
                "Journal",
                "EventService",
                "Sinks", "KeywedgeConfiguration", "Diagnosis", "CLinux",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            // The released command contains Swift's libraries. `--static-swift-stdlib` would do this too, but
            // also compiles every module in a way that tests cannot use.
            linkerSettings: [
                .unsafeFlags(
                    [
                        "-static-stdlib", "-lCoreFoundation", "-l_FoundationCShims",
                        "-l_FoundationCollections", "-l_FoundationICU",
                    ], .when(configuration: .release))
            ]
        ),
        .executableTarget(
            name: "GitHubExample",
            dependencies: [
                "WebAPI", "WireText", .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "examples/GitHub"
        ),
        .executableTarget(
            name: "QiitaExample",
            dependencies: [
                "WebAPI", "WireText", .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "examples/Qiita"
        ),
        .executableTarget(
            name: "KeystrokesExample", dependencies: ["Keystrokes"], path: "examples/Keystrokes"),
        .executableTarget(
            name: "BarcodesExample", dependencies: ["Barcodes"], path: "examples/Barcodes"),
        .target(
            name: "TestTexts", dependencies: ["Keystrokes", "WireText"], path: "Tests/TestTexts"),
        .target(name: "TestFolders", path: "Tests/TestFolders"),
        .target(name: "TestWaiting", path: "Tests/TestWaiting"),
        .testTarget(name: "KeystrokesTests", dependencies: ["Keystrokes", "TestTexts"]),
        .testTarget(name: "BarcodesTests", dependencies: ["Barcodes", "TestTexts"]),
        .testTarget(
            name: "KeyLayoutsTests",
            dependencies: ["KeyLayouts", "Keystrokes", "WireText", "TestTexts"]),
        .testTarget(
            name: "RecordingsTests",
            dependencies: ["Recordings", "Keystrokes", "WireText", "TestTexts", "TestWaiting"]),
        .testTarget(
            name: "WebAPITests",
            dependencies: [
                "WebAPI", "WireText", "KeywedgeTestKit", "TestTexts", "TestFolders", "TestWaiting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        .testTarget(
            name: "ExamplesTests",
            dependencies: [
                "GitHubExample", "QiitaExample", "KeystrokesExample", "BarcodesExample",
                "Keystrokes", "Barcodes", "KeywedgeTestKit", "WebAPI", "TestFolders", "TestWaiting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Yams", package: "Yams"),
            ]
        ),
        .testTarget(
            name: "CatalogTests",
            dependencies: [
                "Catalog", "HTTPCatalog", "Barcodes", "WireText", "KeywedgeTestKit", "TestTexts",
                "TestFolders", "TestWaiting",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "HTTPCatalogTests",
            dependencies: [
                "HTTPCatalog", "Catalog", "Barcodes", "WireText", "WebAPI", "KeywedgeTestKit",
                "TestTexts", "TestFolders", "TestWaiting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "CatalogFeedsTests",
            dependencies: [
                "CatalogFeeds", "Catalog", "WireText", "WebAPI", "KeywedgeTestKit", "TestFolders",
                "TestTexts", "TestWaiting",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "CatalogServiceTests",
            dependencies: [
                "CatalogService", "HTTPService", "Catalog", "HTTPCatalog", "Barcodes", "WireText",
                "WebAPI", "KeywedgeConfiguration", "KeywedgeTestKit", "TestTexts", "TestFolders",
                "TestWaiting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "HTTPServiceTests",
            dependencies: [
                "HTTPService", "WireText", "TestFolders",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            ]
        ),
        .testTarget(
            name: "ScannerInputTests",
            dependencies: [
                "ScannerInput", "Keystrokes", "WireText", "TestFolders", "TestTexts", "TestWaiting",
            ]
        ),
        .testTarget(
            name: "WireTextTests",
            dependencies: ["WireText", "TestFolders", "TestTexts", "TestWaiting"]),
        .testTarget(
            name: "EventsTests", dependencies: ["Events", "WireText", "TestTexts", "TestWaiting"]),
        // A program that writes and checks journals for Tests/PowerLoss.
        .executableTarget(
            name: "JournalWorkload", dependencies: ["Journal", "Events", "WireText"],
            path: "Tests/JournalWorkload"),
        .testTarget(
            name: "JournalTests",
            dependencies: [
                "Journal", "Events", "WireText", "TestFolders", "TestTexts", "TestWaiting",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            // Journals that were written with earlier schemas.
            exclude: ["Files"]
        ),
        // A program with sinks whose speed is measured.
        .executableTarget(
            name: "SinksWorkload",
            dependencies: ["Sinks", "Journal", "Events", "WebAPI", "WireText"],
            path: "Tests/SinksWorkload"),
        // A program that simulates thousands of registers without scanners, for Tests/Fleet.
        .executableTarget(
            name: "FleetWorkload",
            dependencies: ["Sinks", "Journal", "Events", "WebAPI", "WireText"],
            path: "Tests/FleetWorkload"),
        .testTarget(
            name: "EventServiceTests",
            dependencies: [
                "EventService", "HTTPService", "Journal", "Events", "Barcodes", "WireText",
                "WebAPI", "KeywedgeTestKit", "TestFolders", "TestTexts", "TestWaiting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "SinksTests",
            dependencies: [
                "Sinks", "Journal", "Events", "ScannerInput", "Keystrokes", "WireText", "WebAPI",
                "KeywedgeTestKit", "TestFolders", "TestTexts", "TestWaiting",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "KeywedgeConfigurationTests",
            dependencies: [
                "KeywedgeConfiguration", "Keystrokes", "Barcodes", "WireText", "KeyLayouts",
                "ScannerInput", "WebAPI", "HTTPCatalog", "Events", "Sinks", "Journal",
                "TestFolders", "TestTexts", "TestWaiting",
                .product(name: "Yams", package: "Yams"),
            ]
        ),
        .testTarget(
            name: "DiagnosisTests",
            dependencies: [
                "Diagnosis", "Keystrokes", "Barcodes", "WireText", "ScannerInput", "WebAPI",
                "Catalog",
                "HTTPCatalog", "Journal", "Sinks", "HTTPService", "EventService",
                "KeywedgeConfiguration", "KeywedgeTestKit", "TestFolders", "TestWaiting",
            ]
        ),
        .testTarget(
            name: "KeywedgeDaemonTests",
            dependencies: [
                "KeywedgeDaemon", "Keystrokes", "Barcodes", "WireText", "KeyLayouts", "Recordings",
                "ScannerInput", "WebAPI", "KeywedgeTestKit", "Catalog", "HTTPCatalog", "Events",
                "Journal", "Sinks", "EventService", "KeywedgeConfiguration", "TestFolders",
                "TestTexts", "TestWaiting",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            // These tests run the built command.
            name: "KeywedgeCLITests",
            dependencies: [
                "KeywedgeTestKit", "WireText", "Events", "Journal", "TestFolders", "TestTexts",
                "TestWaiting", .product(name: "GRDB", package: "GRDB.swift"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// The benchmarks and their dependencies are included only if the environment requests them.
if Context.environment["KEYWEDGE_BENCHMARKS"] != nil {
    // Without traits, the package leaves malloc and the Swift runtime as they are in the product.
    package.dependencies.append(
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []))
    package.targets += [
        .target(
            name: "KeyStreams", dependencies: ["Keystrokes"], path: "Benchmarks/KeyStreams"),
        .executableTarget(
            name: "Pipeline",
            dependencies: [
                "KeyStreams", "Keystrokes", "Barcodes", "WireText", "KeyLayouts", "Recordings",
                "WebAPI", "KeywedgeTestKit", "Catalog", "Events", "KeywedgeConfiguration",
                "KeywedgeDaemon",
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Benchmarks/Pipeline",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        .executableTarget(
            name: "LayoutRate", dependencies: ["KeyStreams", "Keystrokes", "KeyLayouts"],
            path: "Benchmarks/LayoutRate"),
        .executableTarget(
            name: "DecodeRate", dependencies: ["Barcodes"], path: "Benchmarks/DecodeRate"),
        .executableTarget(
            name: "WebAPIRate",
            dependencies: [
                "WebAPI",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Benchmarks/WebAPIRate"),
    ]
}

// The plugin with which `make docs` builds the libraries' documentation.
if Context.environment["KEYWEDGE_DOCS"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

// A product of another package is used only with the trait that needs it: `Command` for the packages in this
// set, and `WebAPI` for all others.
let commandPackages: Set = [
    "GRDB.swift", "Yams", "benchmark", "hummingbird", "swift-argument-parser",
]
for target in package.targets {
    target.dependencies = target.dependencies.map { dependency in
        guard case .productItem(let name, let package?, nil, nil) = dependency else {
            return dependency
        }
        let trait = commandPackages.contains(package) ? "Command" : "WebAPI"
        return .product(name: name, package: package, condition: .when(traits: [trait]))
    }
}

/// Treats warnings in our own targets as errors if the environment requests it, as CI does.
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

// Optimizing the tests would take longer than it would save when they run.
for target in package.targets where target.type == .test || target.name.hasPrefix("Test") {
    target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
}
