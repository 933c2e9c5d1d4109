// swift-tools-version: 6.0
import Foundation
import PackageDescription

// `Fuzz/run` sets this: journal and replay are then built with libFuzzer's instrumentation, and the fuzzing programs exist.
let isFuzzing = ProcessInfo.processInfo.environment["AUTOMOBILE_FUZZ"] != nil
let fuzzerFlags: [SwiftSetting] = isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer"])] : []

// Which platform is built for, not which one builds, decides on what is needed: a Mac also builds for Linux.
let sqlite: [Target.Dependency] = [.target(name: "CAutoMobileSQLite", condition: .when(platforms: [.linux, .android]))]

// Linux has no Objective-C at all: `make test` compiles those sources there in its own way, and runs them. Nor has it bundles.
#if canImport(Darwin)
let applePlatforms: [Platform] = [.iOS, .macOS, .macCatalyst]
let errorBarrier: [Target.Dependency] = [
  .target(name: "AutoMobileErrorBarrier", condition: .when(platforms: applePlatforms))
]
let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
let ignored: [String] = []
#else
let errorBarrier: [Target.Dependency] = []
let privacyManifest: [Resource] = []
let ignored = ["PrivacyInfo.xcprivacy"]
#endif

/// What records beside what the app records itself. None knows another: `Tests/AutoMobileSDKTests/Modules/ModuleMapTests.swift` watches.
let rooms: [Target.Dependency] = [
  "AutoMobileCrashReporting", "AutoMobileRequests", "AutoMobileInterface", "AutoMobileSystem", "AutoMobileInspection",
]

/// For tests and programs that reach inside of it.
let sdk: [Target.Dependency] = ["AutoMobileSDK", "AutoMobileRecorder", "AutoMobileSupport"] + rooms

/// A program that tests start; a simulator starts none.
func program(_ name: String) -> Target.Dependency {
  .target(name: name, condition: .when(platforms: [.macOS, .linux]))
}

// The SDK has no third-party dependency: an app that adds it resolves nothing else. Its graph gets what the products are made of,
// under names that are nobody else's, and nothing of the tests: `Scripts/test-consumer` watches both.
let package = Package(
  name: "AutoMobile",
  platforms: [.iOS(.v15), .macOS(.v12)],
  products: [
    // Everything that records, in one: most apps want this one.
    .library(name: "AutoMobileSDK", targets: ["AutoMobileSDK"]),
    // For apps that want less of it.
    .library(name: "AutoMobileRecorder", targets: ["AutoMobileRecorder"]),
    .library(name: "AutoMobileCrashReporting", targets: ["AutoMobileCrashReporting"]),
    .library(name: "AutoMobileRequests", targets: ["AutoMobileRequests"]),
    .library(name: "AutoMobileInterface", targets: ["AutoMobileInterface"]),
    .library(name: "AutoMobileSystem", targets: ["AutoMobileSystem"]),
    .library(name: "AutoMobileInspection", targets: ["AutoMobileInspection"]),
    .library(name: "AutoMobileReplay", targets: ["AutoMobileReplay"]),
    .library(name: "AutoMobileJournal", targets: ["AutoMobileJournal"]),
    .library(name: "AutoMobileHTTP", targets: ["AutoMobileHTTP"]),
    .library(name: "AutoMobileHTTPExport", targets: ["AutoMobileHTTPExport"]),
    .library(name: "AutoMobileNetworkLog", targets: ["AutoMobileNetworkLog"]),
    .library(name: "AutoMobileNetworkLogger", targets: ["AutoMobileNetworkLogger"]),
  ],
  targets: [
    .systemLibrary(name: "CAutoMobileZlib", providers: [.apt(["zlib1g-dev"])]),
    // Apple's SDKs have a module SQLite3 of their own.
    .systemLibrary(name: "CAutoMobileSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "CAutoMobile", cSettings: [.define("AM_JOURNAL_HOOKS", .when(configuration: .debug))]),
    .target(
      name: "AutoMobileJournal", dependencies: ["CAutoMobile"], exclude: ignored, resources: privacyManifest,
      swiftSettings: fuzzerFlags),
    .target(name: "AutoMobileHTTP", dependencies: ["AutoMobileSupport"]),
    .target(name: "AutoMobileHTTPExport", dependencies: ["AutoMobileSupport", "AutoMobileHTTP"]),
    // Public for the compiler's sake: what is `package` is not inlined into other modules. No product, and exported by none.
    .target(name: "AutoMobileSupport", dependencies: ["CAutoMobile"]),
    .target(
      name: "AutoMobileRecorder",
      dependencies: ["AutoMobileSupport", "AutoMobileJournal", "AutoMobileHTTP", "CAutoMobile", "CAutoMobileZlib"]
        + errorBarrier,
      exclude: ignored + ["README.md"], resources: privacyManifest),
    .target(
      name: "AutoMobileCrashReporting",
      dependencies: ["AutoMobileSupport", "AutoMobileRecorder", "AutoMobileJournal", "CAutoMobile"],
      exclude: ignored, resources: privacyManifest),
    .target(
      name: "AutoMobileRequests",
      dependencies: ["AutoMobileSupport", "AutoMobileRecorder", "AutoMobileJournal", "AutoMobileHTTP"] + errorBarrier,
      exclude: ignored, resources: privacyManifest),
    .target(
      name: "AutoMobileInterface",
      dependencies: ["AutoMobileSupport", "AutoMobileRecorder", "CAutoMobile"] + errorBarrier,
      exclude: ignored, resources: privacyManifest),
    .target(
      name: "AutoMobileSystem",
      dependencies: ["AutoMobileSupport", "AutoMobileRecorder", "AutoMobileJournal"],
      exclude: ignored, resources: privacyManifest),
    .target(
      name: "AutoMobileInspection",
      dependencies: ["AutoMobileSupport", "AutoMobileRecorder", "AutoMobileHTTP"] + sqlite,
      exclude: ignored, resources: privacyManifest),
    .target(name: "AutoMobileSDK", dependencies: ["AutoMobileRecorder"] + rooms),
    .target(
      name: "AutoMobileReplay",
      dependencies: [
        "AutoMobileSupport", "AutoMobileRecorder", "AutoMobileCrashReporting", "AutoMobileRequests",
        "AutoMobileInterface",
        "AutoMobileJournal", "CAutoMobile", "CAutoMobileZlib",
      ],
      exclude: ignored, resources: privacyManifest, swiftSettings: fuzzerFlags),
    .target(
      name: "AutoMobileNetworkLogger",
      dependencies: [
        "AutoMobileSupport", "AutoMobileRecorder", "AutoMobileRequests", "AutoMobileNetworkLog", "AutoMobileHTTP",
        "AutoMobileHTTPExport",
      ]),
    .target(
      name: "AutoMobileNetworkLog",
      dependencies: ["AutoMobileSupport", "AutoMobileJournal", "AutoMobileHTTP", "AutoMobileHTTPExport", "CAutoMobile"]),
    .executableTarget(
      name: "journal-victim", dependencies: ["AutoMobileJournal", "CAutoMobile"], path: "Tests/Helpers/journal-victim"),
    .testTarget(
      name: "AutoMobileJournalTests",
      dependencies: [
        "AutoMobileJournal", "CAutoMobile", program("journal-victim"), "AllocationCounter", "TestTools",
      ]),
    .target(name: "TestTools", path: "Tests/Helpers/TestTools"),
    .target(name: "AllocationCounter", path: "Tests/Helpers/AllocationCounter"),
    .target(name: "StackCapture", path: "Tests/Helpers/StackCapture"),
    // No test links these two: the first brings a malloc of its own. The tests start the program.
    .target(name: "HangProps", path: "Tests/Helpers/HangProps"),
    .executableTarget(
      name: "hang-victim", dependencies: sdk + ["CAutoMobile", "HangProps"],
      path: "Tests/Helpers/hang-victim"),
    .executableTarget(
      name: "scripted-app", dependencies: sdk + ["AutoMobileNetworkLog", "AutoMobileNetworkLogger"],
      path: "Tests/Helpers/scripted-app"),
    .executableTarget(
      name: "sdk-victim", dependencies: sdk + ["CAutoMobile"], path: "Tests/Helpers/sdk-victim"),
    .executableTarget(
      name: "delivery-victim", dependencies: sdk, path: "Tests/Helpers/delivery-victim"),
    .executableTarget(
      name: "defaults-victim", dependencies: sdk, path: "Tests/Helpers/defaults-victim"),
    .executableTarget(
      name: "network-victim", dependencies: sdk + ["AutoMobileHTTP"], path: "Tests/Helpers/network-victim"),
    .executableTarget(
      name: "request-victim", dependencies: sdk + ["CAutoMobile"], path: "Tests/Helpers/request-victim"),
    .executableTarget(name: "sdk-monkey", dependencies: sdk, path: "Tests/Helpers/sdk-monkey"),
    .target(name: "CrashWays", path: "Tests/Helpers/crash-ways"),
    .executableTarget(
      name: "crash-victim", dependencies: sdk + ["CAutoMobile", "CrashWays"],
      path: "Tests/Helpers/crash-victim"),
    .executableTarget(
      name: "launch-victim", dependencies: sdk + ["AutoMobileJournal", "CAutoMobile"],
      path: "Tests/Helpers/launch-victim"),
    .target(name: "RequestCatcher", path: "Tests/Helpers/request-catcher"),
    .testTarget(
      name: "AutoMobileHTTPTests",
      dependencies: ["AutoMobileHTTP", "AutoMobileHTTPExport", "RequestCatcher", "TestTools"]),
    .executableTarget(
      name: "netlog-victim", dependencies: ["AutoMobileNetworkLog", "AutoMobileNetworkLogger"],
      path: "Tests/Helpers/netlog-victim"),
    .testTarget(
      name: "AutoMobileNetworkLogTests",
      dependencies: [
        "AutoMobileNetworkLog", "AutoMobileJournal", "AutoMobileHTTP", "CAutoMobile", program("netlog-victim"),
        "TestTools",
      ]),
    .testTarget(
      name: "AutoMobileNetworkLoggerTests",
      dependencies: sdk + [
        "AutoMobileNetworkLogger", "AutoMobileNetworkLog", "AutoMobileHTTP", "AutoMobileHTTPExport", "RequestCatcher",
        program("netlog-victim"), "TestTools",
      ]),
    .executableTarget(
      name: "replay-victim", dependencies: sdk + ["AutoMobileReplay"], path: "Tests/Helpers/replay-victim"),
    .testTarget(
      name: "AutoMobileReplayTests",
      dependencies: sdk + [
        "AutoMobileReplay", "AutoMobileJournal", "CAutoMobile", "CAutoMobileZlib", "ReplayTesting",
        "RequestCatcher", program("replay-victim"), "TestTools", "AllocationCounter", "HeapStatistics",
      ]),
    .target(
      name: "ReplayTesting", dependencies: sdk + ["AutoMobileReplay", "RequestCatcher"],
      path: "Tests/Helpers/ReplayTesting"),
    .target(name: "HeapStatistics", path: "Tests/Helpers/HeapStatistics"),
    // What `automobile demo` starts where there are no stand-ins, on a Mac: the story without the screens.
    .executableTarget(
      name: "automobile-demo-plain", dependencies: ["AutoMobileSDK"] + sqlite, path: "Examples",
      exclude: [
        "HeadlessDemo/Launches", "HeadlessDemo/DemoApp.swift", "HeadlessDemo/Person.swift", "HeadlessDemo/Phone.swift",
        "HeadlessDemo/Support/CountedCapture.swift", "HeadlessDemo/Support/Display.swift", "CoffeeShop/App",
        "CoffeeShop/Package.swift", "CoffeeShop/README.md", "CoffeeShop/Sources/CoffeeShopCompanion",
        "CoffeeShop/Sources/CoffeeShop/Recording", "CoffeeShop/Sources/CoffeeShop/Screens",
        "CoffeeShop/Sources/CoffeeShop/UIKit", "CoffeeShop/Sources/CoffeeShop/Models/Account.swift",
        "CoffeeShop/Sources/CoffeeShop/Models/KeptThings.swift",
        "CoffeeShop/Sources/CoffeeShop/Models/OrderUpdates.swift",
        "CoffeeShop/Sources/CoffeeShop/Models/Preferences.swift", "CoffeeShop/Sources/CoffeeShop/Models/Shop.swift",
      ],
      sources: [
        "PlainDemo", "HeadlessDemo/Support/Arguments.swift", "HeadlessDemo/Support/Home.swift",
        "HeadlessDemo/Support/KeptRules.swift", "HeadlessDemo/Support/RecordedEvents.swift",
        "HeadlessDemo/Support/Stock.swift",
        "HeadlessDemo/Support/Witness.swift", "CoffeeShop/Sources/CoffeeShop/Models/Drink.swift",
        "CoffeeShop/Sources/CoffeeShop/Models/OrderHistory.swift",
        "CoffeeShop/Sources/CoffeeShop/Models/ShopClient.swift",
      ]),
    .testTarget(
      name: "AutoMobileSDKTests",
      dependencies: sdk + [
        "AutoMobileJournal", "CAutoMobile", "CAutoMobileZlib", "AllocationCounter", "StackCapture",
        program("sdk-victim"), program("crash-victim"), program("launch-victim"), program("network-victim"),
        program("request-victim"), program("defaults-victim"), program("delivery-victim"), program("sdk-monkey"),
        program("scripted-app"),
        "TestTools",
      ] + sqlite),
  ],
  swiftLanguageModes: [.v6]
)

#if canImport(Darwin)
package.targets.append(.target(name: "AutoMobileErrorBarrier"))
#endif

if isFuzzing {
  let fuzzerLibrary: [LinkerSetting] = [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
  package.targets += [
    .executableTarget(
      name: "journal-fuzz", dependencies: ["AutoMobileJournal"], path: "Fuzz/Sources", swiftSettings: fuzzerFlags,
      linkerSettings: fuzzerLibrary),
    .executableTarget(
      name: "replay-fuzz", dependencies: sdk + ["AutoMobileReplay"], path: "Fuzz/Replay",
      swiftSettings: fuzzerFlags, linkerSettings: fuzzerLibrary),
  ]
}

// Apple's frameworks as far as the adapters use them, so that these are compiled and run on Linux. See StandIns/README.md.
#if os(Linux)
if ProcessInfo.processInfo.environment["AUTOMOBILE_STANDINS"] != nil {
  let needed = [
    "CAutoMobileZlib", "CAutoMobileSQLite", "CAutoMobile", "AutoMobileJournal", "AutoMobileHTTP",
    "AutoMobileHTTPExport",
    "AutoMobileSupport",
    "AutoMobileRecorder", "AutoMobileCrashReporting", "AutoMobileRequests", "AutoMobileInterface", "AutoMobileSystem",
    "AutoMobileInspection",
    "AutoMobileSDK", "AutoMobileNetworkLog", "AutoMobileNetworkLogger", "AutoMobileReplay", "RequestCatcher",
    "ReplayTesting", "HeapStatistics",
  ]
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { !needed.contains($0.name) }
  // Each with what it is built on, on a line of its own.
  let standIns: [(name: String, dependencies: [Target.Dependency])] = [
    ("QuartzCore", ["CCairo"]),
    ("UIKit", ["QuartzCore", "CCairo"]),
    ("Combine", []),
    ("SwiftUI", ["UIKit", "Combine"]),
    ("Network", []),
    ("LocalAuthentication", []),
    ("UserNotifications", []),
    ("Security", []),
  ]
  // What draws and what encodes, in the place of Core Graphics and ImageIO.
  package.targets += [
    .systemLibrary(name: "CCairo", path: "StandIns/CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    .target(name: "CJPEG", path: "StandIns/CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
  ]
  // `import Testing` beside the import of one of these asks for a module of this name.
  let overlaid = ["QuartzCore", "UIKit", "Combine", "SwiftUI"]
  package.targets += standIns.map {
    .target(name: $0.name, dependencies: $0.dependencies, path: "StandIns/\($0.name)")
  }
  package.targets += overlaid.map { .target(name: "_Testing_\($0)", path: "StandIns/TestingOverlays/\($0)") }
  let names: [Target.Dependency] = standIns.map { .byName(name: $0.name) }
  let overlays: [Target.Dependency] = overlaid.map { .byName(name: "_Testing_\($0)") }
  let logger: [Target.Dependency] = ["AutoMobileNetworkLogger", "AutoMobileNetworkLog", "AutoMobileHTTP"]
  for target in package.targets
  where target.dependencies.contains(where: {
    if case .byNameItem("AutoMobileRecorder", _) = $0 { true } else { false }
  })
    || ["AutoMobileRecorder", "ReplayTesting"].contains(target.name)
  {
    target.dependencies += names
    if target.name == "AutoMobileReplay" { target.dependencies.append("CJPEG") }
  }
  // The example, which a Mac builds from the package in its own directory.
  let example = "Examples/CoffeeShop"
  package.targets += [
    .target(
      name: "CoffeeShop", dependencies: ["AutoMobileSDK", "AutoMobileReplay", "CAutoMobileSQLite"] + logger + names,
      path: "\(example)/Sources/CoffeeShop"),
    .target(name: "CoffeeShopCompanion", dependencies: logger + names, path: "\(example)/Sources/CoffeeShopCompanion"),
    .executableTarget(
      name: "CoffeeShopApp", dependencies: ["CoffeeShop"] + names, path: "\(example)/App/CoffeeShopApp"),
    .executableTarget(
      name: "CompanionApp", dependencies: ["CoffeeShopCompanion"] + names, path: "\(example)/App/CompanionApp"),
    // What `automobile demo` starts.
    .executableTarget(
      name: "automobile-demo-app",
      dependencies: ["AutoMobileSDK", "AutoMobileReplay", "CoffeeShop"] + names,
      path: "Examples/HeadlessDemo"),
    .testTarget(
      name: "CoffeeShopTests",
      dependencies: [
        "CoffeeShop", "CoffeeShopCompanion", "AutoMobileSDK", "AutoMobileReplay", "ReplayTesting", "RequestCatcher",
        "CCairo",
      ] + logger + names + overlays),
    .testTarget(
      name: "AdapterTests",
      dependencies: sdk + ["AutoMobileReplay", "ReplayTesting", "HeapStatistics", "RequestCatcher"]
        + logger + names + overlays),
  ]
  // Here and not in Benchmarks/Package.swift, whose baselines may bring dependencies.
  package.targets.append(
    .executableTarget(
      name: "adapter-bench",
      dependencies: sdk + ["AutoMobileReplay", "ReplayTesting", "HeapStatistics"] + names,
      path: "Benchmarks",
      exclude: [
        "Package.swift", "Sources/CAllocations", "Sources/CCores", "Sources/benchmarks/main.swift",
        "Sources/benchmarks/Crashes", "Sources/benchmarks/Hangs", "Sources/benchmarks/Journal",
        "Sources/benchmarks/Network", "Sources/benchmarks/NetworkLog", "Sources/benchmarks/Recording",
        "Sources/benchmarks/Upload", "Sources/benchmarks/ViewBodies",
      ],
      sources: ["Adapters", "Sources/benchmarks/Harness"]))
}
#endif
