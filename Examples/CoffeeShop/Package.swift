// swift-tools-version: 6.0
import PackageDescription

// Open this folder in Xcode: the screens build and preview as they are. To run them, see README.md.
let package = Package(
  name: "CoffeeShop",
  platforms: [.iOS(.v17)],
  products: [
    .library(name: "CoffeeShop", targets: ["CoffeeShop"]),
    .library(name: "CoffeeShopCompanion", targets: ["CoffeeShopCompanion"]),
  ],
  dependencies: [.package(name: "AutoMobile", path: "../..")],
  targets: [
    .target(
      name: "CoffeeShop",
      dependencies: [
        .product(name: "AutoMobileSDK", package: "AutoMobile"),
        .product(name: "AutoMobileReplay", package: "AutoMobile"),
        .product(name: "AutoMobileNetworkLogger", package: "AutoMobile"),
        .product(name: "AutoMobileNetworkLog", package: "AutoMobile"),
      ]),
    .target(
      name: "CoffeeShopCompanion",
      dependencies: [
        .product(name: "AutoMobileNetworkLogger", package: "AutoMobile"),
        .product(name: "AutoMobileNetworkLog", package: "AutoMobile"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
