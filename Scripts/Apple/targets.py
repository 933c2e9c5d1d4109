"""What is checked, and for what: the platforms of the package, and which of Apple's frameworks each has."""

import dataclasses

# Frameworks that are the project's stand-ins, in the order in which they need each other.
STANDINS = ("Combine", "QuartzCore", "UIKit", "SwiftUI", "Network", "LocalAuthentication", "UserNotifications", "Security")
# Frameworks that are declared for this check alone, in Overlays.
DECLARED = ("CoreGraphics", "ImageIO", "MetricKit", "AppKit", "AutoMobileErrorBarrier")

# Each module after those that it imports.
SDK = (
    "AutoMobileSupport", "AutoMobileJournal", "AutoMobileHTTP", "AutoMobileHTTPExport", "AutoMobileNetworkLog", "AutoMobileRecorder", "AutoMobileCrashReporting", "AutoMobileRequests", "AutoMobileInterface",
    "AutoMobileSystem", "AutoMobileInspection", "AutoMobileSDK", "AutoMobileNetworkLogger",
    "AutoMobileReplay",
)


@dataclasses.dataclass(frozen=True)
class Target:
    name: str
    triple: str
    #: The library that the target's modules are compiled against.
    library: str
    frameworks: tuple
    #: What is defined in its build.
    flags: tuple = ()


IOS = tuple(name for name in STANDINS + DECLARED if name != "AppKit")
#: UIKit is there under another name: see modules.py.
MAC = ("AppKit",) + tuple(name for name in STANDINS + DECLARED if name != "AppKit")

# On a device as it is released, in the simulator as its tests are built.
TARGETS = (
    Target("iOS", "arm64-apple-ios15.0", "ios", IOS),
    Target("iOS Simulator", "arm64-apple-ios15.0-simulator", "ios", IOS, ("DEBUG", "AUTOMATION")),
    Target("Mac Catalyst", "arm64-apple-ios15.0-macabi", "ios", IOS),
    Target("macOS", "arm64-apple-macos12.0", "macos", MAC),
)
#: The compiler takes what was made for Mac Catalyst for a device and for the simulator, too; between these two it takes nothing.
LIBRARIES = {"ios": "arm64-apple-ios15.0-macabi", "macos": "arm64-apple-macos12.0"}
#: The example's modules, which are for a newer iOS than the SDK is.
EXAMPLE = {
    "CoffeeShop": "Sources/CoffeeShop", "CoffeeShopCompanion": "Sources/CoffeeShopCompanion", "CoffeeShopApp": "App/CoffeeShopApp",
    "CompanionApp": "App/CompanionApp",
}
EXAMPLE_TRIPLE = "arm64-apple-ios17.0"
#: Each architecture that an app can have. Those that are linked have a target of zig's, whose linker knows Macs only.
C_TARGETS = (
    "arm64-apple-ios15.0", "arm64-apple-ios15.0-simulator", "x86_64-apple-ios15.0-simulator", "arm64-apple-ios15.0-macabi",
    "arm64-apple-macos12.0", "x86_64-apple-macos12.0",
)
#: The other processor of Linux, which has lines of its own; by zig's name, whose headers it is compiled against.
LINUX_C = "aarch64-linux-gnu"
LINKED = {"arm64-apple-macos12.0": "aarch64-macos.12.0", "x86_64-apple-macos12.0": "x86_64-macos.12.0"}
