// swift-tools-version: 6.1
import Foundation
import PackageDescription

// Apple stand-ins and third-party packages must never share a package graph: `canImport(Network)`
// and friends would turn true inside SwiftNIO and AsyncHTTPClient.
if ProcessInfo.processInfo.environment["AUTOMOBILE_STANDINS"] != nil {
  fatalError("Unset AUTOMOBILE_STANDINS: the collector is built without the Apple stand-ins.")
}

// `Fuzz/run` sets this: the parsers are then built with libFuzzer's instrumentation, and the fuzzing program exists.
let isFuzzing = ProcessInfo.processInfo.environment["AUTOMOBILE_FUZZ"] != nil
let fuzzerFlags: [SwiftSetting] = isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer"])] : []

let package = Package(
  name: "automobile-collector",
  platforms: [.macOS(.v14)],
  products: [
    .library(name: "AutoMobileCollector", targets: ["AutoMobileCollector"]),
    .executable(name: "automobile", targets: ["automobile"]),
  ],
  dependencies: [
    .package(name: "AutoMobile", path: ".."),
    // Without its readers of configuration, which would be another package to build.
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: ["FullFoundation"]),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.0"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
  ],
  targets: [
    .target(name: "CWebAssets"),
    .target(name: "CChildProcess"),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    // The messages of the OpenTelemetry protocol: written by Scripts/opentelemetry-proto, not by hand.
    .target(
      name: "OpenTelemetryProto", dependencies: [.product(name: "SwiftProtobuf", package: "swift-protobuf")]),
    // What people have set and decided, behind a protocol: no code of another target sees which database that is.
    .target(name: "AutoMobileState", dependencies: [.product(name: "GRDB", package: "GRDB.swift")]),
    // Certificates of those who are connected to, and one's own: files that are read again when they change.
    .target(
      name: "AutoMobileTLS",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
    // What apps recorded, in ClickHouse: client, tables, inserts.
    .target(
      name: "AutoMobileClickHouse",
      dependencies: [
        "AutoMobileTLS",
        "CZlib",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: fuzzerFlags),
    // The same in a database that collectors share. Its client library is looked for when the program runs: no header, nothing to link.
    .target(name: "CPostgres"),
    .target(name: "AutoMobilePostgres", dependencies: ["AutoMobileState", "CPostgres"]),
    .target(
      name: "AutoMobileCollector",
      dependencies: [
        "AutoMobileState",
        "AutoMobileClickHouse",
        "AutoMobilePostgres",
        "AutoMobileTLS",
        "CWebAssets",
        "CChildProcess",
        "CZlib",
        "OpenTelemetryProto",
        .product(name: "AutoMobileJournal", package: "AutoMobile"),
        .product(name: "AutoMobileHTTP", package: "AutoMobile"),
        .product(name: "AutoMobileHTTPExport", package: "AutoMobile"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "JWTKit", package: "jwt-kit"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      swiftSettings: fuzzerFlags
    ),
    .executableTarget(
      name: "collector-bench",
      dependencies: [
        "AutoMobileCollector",
        "AutoMobileClickHouse",
        "ClickHouseTestServer",
        "CZlib",
        "OpenTelemetryProto",
        .product(name: "AutoMobileJournal", package: "AutoMobile"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
      ],
      path: "Benchmarks"
    ),
    .executableTarget(
      name: "automobile",
      dependencies: [
        "AutoMobileCollector",
        "AutoMobileState",
        .product(name: "AutoMobileHTTP", package: "AutoMobile"),
        .product(name: "AutoMobileHTTPExport", package: "AutoMobile"),
        .product(name: "AutoMobileNetworkLog", package: "AutoMobile"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]
    ),
    // Servers that tests start and stop.
    .target(name: "PostgresTestServer", dependencies: ["CChildProcess"], path: "Tests/Helpers/PostgresTestServer"),
    // Authorities and certificates that tests make, with openssl.
    .target(name: "CertificateTestFiles", path: "Tests/Helpers/CertificateTestFiles"),
    .target(
      name: "ClickHouseTestServer",
      dependencies: [
        "AutoMobileClickHouse", "CChildProcess", "CertificateTestFiles",
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
      ],
      path: "Tests/Helpers/ClickHouseTestServer", exclude: ["chdb_session.py"]),
    .testTarget(
      name: "AutoMobileStateTests",
      dependencies: [
        "AutoMobileState", "AutoMobilePostgres", "PostgresTestServer", .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "AutoMobileClickHouseTests",
      dependencies: [
        "AutoMobileClickHouse", "AutoMobileTLS", "CertificateTestFiles", "ClickHouseTestServer",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .testTarget(
      name: "AutoMobileCollectorTests",
      dependencies: [
        "AutoMobileCollector",
        "AutoMobileState",
        "AutoMobileClickHouse",
        "AutoMobilePostgres",
        "AutoMobileTLS",
        "CertificateTestFiles",
        "ClickHouseTestServer",
        "PostgresTestServer",
        "CZlib",
        "OpenTelemetryProto",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "JWTKit", package: "jwt-kit"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
      ]
    ),
    // What SQLite's index and ClickHouse answer to the same questions about the same deliveries.
    .testTarget(
      name: "ClickHouseReadingTests",
      dependencies: [
        "AutoMobileCollector", "AutoMobileClickHouse", "ClickHouseTestServer",
        .product(name: "AutoMobileHTTP", package: "AutoMobile"),
        .product(name: "AutoMobileJournal", package: "AutoMobile"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ]),
    .executableTarget(
      name: "recording-app", dependencies: [.product(name: "AutoMobileSDK", package: "AutoMobile")],
      path: "Tests/Helpers/recording-app"),
    .testTarget(
      name: "AutomobileCommandTests",
      dependencies: [
        "automobile", "AutoMobileCollector", "recording-app",
        .product(name: "AutoMobileHTTP", package: "AutoMobile"),
        .product(name: "AutoMobileHTTPExport", package: "AutoMobile"),
        .product(name: "AutoMobileNetworkLog", package: "AutoMobile"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

if isFuzzing {
  package.targets.append(
    .executableTarget(
      name: "collector-fuzz", dependencies: ["AutoMobileCollector", "AutoMobileClickHouse", "AutoMobileTLS"],
      path: "Fuzz/Sources", swiftSettings: fuzzerFlags,
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]))
}
