import AutoMobileSDK
import Foundation
import Testing

@testable import AutoMobileRecorder
@testable import AutoMobileSystem

/// A25: what the system announces, by name and key types, never values.
@Suite struct AutoMobileNotificationObserverTests {
  private let center = NotificationCenter()

  private func observer(_ names: [Notification.Name] = SystemNotificationNames.all) -> AutoMobileNotificationObserver {
    AutoMobileNotificationObserver(names: names) { [center] in center }
  }

  private func broadcasts(_ harness: SdkHarness) throws -> [SdkBroadcastEvent] {
    try harness.recorded().compactMap { $0.event as? SdkBroadcastEvent }
  }

  @Test func `A25 a change of locale, time zone or power state is a broadcast event and a breadcrumb`() throws {
    let harness = try SdkHarness()
    let observer = observer()
    observer.initialize(bundleId: nil, buffer: try #require(harness.sdk.getEventBuffer()))
    let names = [
      "kCFLocaleCurrentLocaleDidChangeNotification", "NSSystemTimeZoneDidChangeNotification",
      "NSProcessInfoPowerStateDidChangeNotification",
    ]
    for name in names { center.post(name: Notification.Name(name), object: nil) }
    center.post(name: Notification.Name("something else"), object: nil)
    let events = try broadcasts(harness)
    #expect(events.map(\.action) == names)
    #expect(events.allSatisfy { $0.infoKeyTypes == nil && $0.categories == nil })
    #expect(harness.sdk.breadcrumbs().map(\.message) == names)
    observer.shutdown()
  }

  @Test func `A25 of what a notification carries, keys and types are recorded and no value`() throws {
    let harness = try SdkHarness()
    let observer = observer()
    observer.initialize(bundleId: nil, buffer: try #require(harness.sdk.getEventBuffer()))
    center.post(
      name: SystemNotificationNames.all[0], object: nil,
      userInfo: [
        "token": "s3cret", "count": 31_337, "nested": ["inner": "s3cret"], "list": ["s3cret"], "at": Date(),
        "bytes": Data("s3cret".utf8), "flag": true, "url": URL(fileURLWithPath: "/s3cret"), 31_337: "s3cret",
        "🗝️": "s3cret",
      ])
    let recorded = try #require(try harness.recorded().last)
    let text = String(decoding: recorded.payload, as: UTF8.self)
    #expect(!text.contains("s3cret") && !text.contains("31337"))
    #expect(
      (recorded.event as? SdkBroadcastEvent)?.infoKeyTypes == [
        "token": "String", "count": "Number", "nested": "Dictionary", "list": "Array", "at": "Date", "bytes": "Data",
        "flag": "Number", "url": "URL", "(Number)": "String", "🗝️": "String",
      ])
    observer.shutdown()
  }

  @Test func `A25 hostile keys and a thousand of them stay within bounds`() throws {
    var info: [AnyHashable: Any] = [String(repeating: "k", count: 1 << 20): 1, "zero\0byte": 2, "": 3, "👩‍👩‍👧‍👦": 4]
    for number in 0..<1000 { info["key \(number)"] = number }
    let types = try #require(InfoKeyTypes.of(info))
    #expect(types.count <= InfoKeyTypes.maximumCount)
    #expect(types.keys.allSatisfy { $0.utf8.count <= InfoKeyTypes.maximumLength + 3 })
    #expect(InfoKeyTypes.of([:]) == nil && InfoKeyTypes.of(nil) == nil)
  }

  @Test func `A25 initialized twice it records once, and after a shutdown nothing`() throws {
    let harness = try SdkHarness()
    let buffer = try #require(harness.sdk.getEventBuffer())
    let observer = observer()
    observer.initialize(bundleId: nil, buffer: buffer)
    observer.initialize(bundleId: nil, buffer: buffer)
    center.post(name: SystemNotificationNames.all[0], object: nil)
    #expect(try broadcasts(harness).count == 1)
    observer.setEnabled(false)
    center.post(name: SystemNotificationNames.all[0], object: nil)
    observer.setEnabled(true)
    center.post(name: SystemNotificationNames.all[0], object: nil)
    observer.shutdown()
    center.post(name: SystemNotificationNames.all[0], object: nil)
    #expect(try broadcasts(harness).count == 2)
  }
}
