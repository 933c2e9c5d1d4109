// swift-tools-version: 6.0
import PackageDescription

// The figures that the documentation quotes. `make bench` runs them all; `make bench ARGS=record` those whose name
// contains "record".
let package = Package(
  name: "automobile-benchmarks",
  platforms: [.macOS(.v12)],
  dependencies: [.package(name: "AutoMobile", path: "..")],
  targets: [
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        .product(name: "AutoMobileSDK", package: "AutoMobile"),
        .product(name: "AutoMobileHTTP", package: "AutoMobile"),
        // With its C, which is no product: what is measured of that is not for apps.
        .product(name: "AutoMobileJournal", package: "AutoMobile"),
        .product(name: "AutoMobileNetworkLog", package: "AutoMobile"),
        "CCores", "CAllocations",
      ]),
    .target(name: "CCores"),
    // It has a malloc that counts, of the whole program.
    .target(name: "CAllocations"),
  ],
  swiftLanguageModes: [.v6]
)
