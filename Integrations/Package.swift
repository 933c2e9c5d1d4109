// swift-tools-version: 6.1
import Foundation
import PackageDescription

// What joins the SDK to other libraries. A package of its own, so that an app which adds the SDK resolves nothing else; one for all
// three, because they are of one family, small, and used together.
//
// Apple stand-ins and third-party packages must never share a package graph: see Collector/Package.swift.
if ProcessInfo.processInfo.environment["AUTOMOBILE_STANDINS"] != nil {
  fatalError("Unset AUTOMOBILE_STANDINS: the integrations are built without the Apple stand-ins.")
}

let recorder: Target.Dependency = .product(name: "AutoMobileRecorder", package: "AutoMobile")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let tracing: Target.Dependency = .product(name: "Tracing", package: "swift-distributed-tracing")

let package = Package(
  name: "AutoMobileIntegrations",
  platforms: [.iOS(.v15), .macOS(.v12)],
  products: [
    .library(name: "AutoMobileLogging", targets: ["AutoMobileLogging"]),
    .library(name: "AutoMobileMetrics", targets: ["AutoMobileMetrics"]),
    .library(name: "AutoMobileTracing", targets: ["AutoMobileTracing"]),
  ],
  dependencies: [
    .package(name: "AutoMobile", path: ".."),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
  ],
  targets: [
    .target(name: "AutoMobileLogging", dependencies: [recorder, logging]),
    .target(name: "AutoMobileMetrics", dependencies: [recorder, metrics]),
    .target(name: "AutoMobileTracing", dependencies: [recorder, tracing]),
    // A program as somebody would write it, which the tests run, kill and look at.
    .executableTarget(
      name: "integrated-app",
      dependencies: [
        "AutoMobileLogging", "AutoMobileMetrics", "AutoMobileTracing", recorder, logging, metrics, tracing,
      ],
      path: "Tests/Helpers/integrated-app"),
    .testTarget(
      name: "AutoMobileIntegrationTests",
      dependencies: [
        "AutoMobileLogging", "AutoMobileMetrics", "AutoMobileTracing", "integrated-app", recorder, logging, metrics,
        tracing,
      ]),
  ],
  swiftLanguageModes: [.v6]
)
