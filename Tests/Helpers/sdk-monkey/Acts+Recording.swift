import AutoMobileSDK
import Foundation

extension Act {
  static let recording: [Act] = [
    Act(
      "AutoMobileSDK.record(_:)", "SdkNavigationEvent.init(timestamp:destination:source:arguments:metadata:)",
      "SdkDeviceInfo.init(model:manufacturer:osVersion:systemName:)", weight: 300
    ) { random, stage in record(&random, stage.sdk) },
    Act("AutoMobileSDK.trackEvent(name:properties:)", weight: 200) { random, stage in
      stage.sdk.trackEvent(name: random.string(), properties: random.strings())
    },
    Act("AutoMobileSDK.trackEvent(name:properties:)", weight: 60) { random, stage in
      let properties: [String: MetadataValue] = random.properties()
      stage.sdk.trackEvent(name: random.string(), properties: properties)
    },
    Act("AutoMobileSDK.addBreadcrumb(_:)", "Breadcrumb.init(timestamp:category:message:metadata:)") { random, stage in
      stage.sdk.addBreadcrumb(breadcrumb(&random))
    },
    Act("AutoMobileSDK.addBreadcrumb(_:category:metadata:)") { random, stage in
      stage.sdk.addBreadcrumb(random.string(), metadata: random.strings())
    },
    Act("AutoMobileSDK.breadcrumbs()", weight: 1) { random, stage in
      if random.below(20) == 0 { _ = stage.sdk.breadcrumbs() }
    },
    Act("AutoMobileSDK.previousLaunchBreadcrumbs()", weight: 1) { random, stage in
      if random.below(20) == 0 { _ = stage.sdk.previousLaunchBreadcrumbs() }
    },
    Act("EventClock.now()") { _, _ in _ = EventClock.now() },
  ]

  static func breadcrumb(_ random: inout Hostile) -> Breadcrumb {
    Breadcrumb(
      timestamp: random.date(), category: random.one(of: [.navigation, .tap, .lifecycle, .network, .log, .custom]),
      message: random.string(), metadata: random.strings())
  }

  static func record(_ random: inout Hostile, _ sdk: AutoMobileSDK) {
    switch random.below(4) {
    case 0:
      sdk.record(SdkHangEvent(durationMs: random.double(), stackTrace: random.string(), bundleId: random.string()))
    case 1: sdk.record(OwnEvent(&random))
    case 2: sdk.record(WrittenEvent(&random))
    default: recordAny(event(&random), sdk)
    }
  }

  private static func recordAny(_ event: any SdkEvent, _ sdk: AutoMobileSDK) {
    func record(_ event: some SdkEvent) { sdk.record(event) }
    record(event)
  }
}
