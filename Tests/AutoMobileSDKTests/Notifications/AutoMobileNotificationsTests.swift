import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder
@testable import AutoMobileSystem

/// A23: posting, and the actions that people choose.
@Suite struct AutoMobileNotificationsTests {
  private let directory: TemporaryDirectory
  private let notificationCenter = NotificationCenter()

  init() throws { directory = try TemporaryDirectory() }

  private func notifications(
    _ center: FakeNotificationCenter, isDebugBuild: Bool = true
  ) -> AutoMobileNotifications {
    AutoMobileNotifications(
      isDebugBuild: isDebugBuild,
      makePoster: { [directory] in
        NotificationPoster(center: center, images: NotificationImages(directory: directory.file("images")))
      }
    ) { [notificationCenter] in notificationCenter }
  }

  @Test func `A23 a notification is posted with its texts, style, image and actions`() async throws {
    try Picture.png.write(to: directory.file("own.png"))
    let center = FakeNotificationCenter()
    let notifications = notifications(center)
    let isPosted = await notifications.post(
      title: "Coffee ☕️", body: "Table 4", style: .bigPicture, imagePath: directory.file("own.png").path,
      actions: [NotificationAction(label: "Coming", actionId: "coming")])
    #expect(isPosted && notifications.lastError == nil)
    let posted = try #require(center.all.first)
    #expect(posted.notification.title == "Coffee ☕️" && posted.notification.style == .bigPicture)
    #expect(posted.imageName == "image.png" && posted.imageContent == Picture.png)
    #expect(posted.categoryId == AutoMobileNotifications.categoryIdentifier)
    #expect(center.registered.map(\.id) == [AutoMobileNotifications.categoryIdentifier])
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("images").path) == [])
  }

  @Test func `A23 without an image that can be had it is posted all the same`() async {
    let center = FakeNotificationCenter()
    let notifications = notifications(center)
    #expect(await notifications.post(title: "t", body: "b", imagePath: "/none"))
    #expect(notifications.lastError == "there is no file /none")
    #expect(await notifications.post(title: "t", body: "b", imagePath: ""))
    #expect(notifications.lastError == nil)
    #expect(center.all.count == 2)
  }

  @Test func `A23 without permission it is not posted, and the image is cleared away`() async throws {
    try Picture.png.write(to: directory.file("own.png"))
    let notifications = notifications(FakeNotificationCenter(isAllowed: false))
    #expect(await notifications.post(title: "t", body: "b", imagePath: directory.file("own.png").path) == false)
    #expect(notifications.lastError == "not allowed")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("images").path) == [])
  }

  @Test func `A23 a process without a centre of notifications posts nothing`() async {
    let notifications = AutoMobileNotifications(makePoster: { nil })
    #expect(await notifications.post(title: "t", body: "b") == false)
    #expect(notifications.lastError == "this process has no notification center")
  }

  @Test func `A23 many posts at once lose no category, and the app keeps its own`() async {
    let own = RegisteredCategory(id: "app", actions: [NotificationAction(label: "Own", actionId: "own")])
    let center = FakeNotificationCenter([own])
    let notifications = notifications(center)
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<50 {
        group.addTask {
          await notifications.post(
            title: "t", body: "b", actions: [NotificationAction(label: "l", actionId: "a\(number)")],
            categoryId: "category \(number)")
        }
      }
      for await isPosted in group { #expect(isPosted) }
    }
    #expect(center.all.count == 50)
    #expect(Set(center.registered.map(\.id)) == Set(["app"] + (0..<50).map { "category \($0)" }))
    #expect(center.registered.contains(own))
  }

  // MARK: Actions

  private final class Response {}

  private func actions(_ harness: SdkHarness) throws -> [SdkNotificationActionEvent] {
    try harness.recorded().compactMap { $0.event as? SdkNotificationActionEvent }
  }

  @Test func `A23 a chosen action is an event, a breadcrumb and a notification`() throws {
    let harness = try SdkHarness()
    let notifications = notifications(FakeNotificationCenter())
    notifications.start(buffer: try #require(harness.sdk.getEventBuffer()))
    let told = Locked<[[String: String]]>([])
    let token = notificationCenter.addObserver(
      forName: AutoMobileNotifications.actionNotification, object: nil, queue: nil
    ) { notification in
      told.withLock { $0.append(notification.userInfo as? [String: String] ?? [:]) }
    }
    defer { notificationCenter.removeObserver(token) }
    notifications.noteAction("coming", title: "Coffee ☕️", isOwn: true, response: Response())
    let events = try actions(harness)
    #expect(events.map(\.actionId) == ["coming"] && events.map(\.notificationTitle) == ["Coffee ☕️"])
    #expect(told.withLock { $0 } == [["actionId": "coming", "notificationTitle": "Coffee ☕️"]])
    #expect(
      AutoMobileNotifications.actionNotification.rawValue == "dev.jasonpearson.automobile.sdk.NOTIFICATION_ACTION")
    #expect(harness.sdk.breadcrumbs().map(\.message) == ["coming"])
  }

  @Test func `A23 an action that launched the app is recorded once there is a buffer, the last eight`() throws {
    let harness = try SdkHarness()
    let notifications = notifications(FakeNotificationCenter())
    for number in 0..<10 { notifications.noteAction("a\(number)", title: "t", isOwn: true, response: Response()) }
    notifications.start(buffer: try #require(harness.sdk.getEventBuffer()))
    #expect(try actions(harness).map(\.actionId) == (2..<10).map { "a\($0)" })
    notifications.reset()
    notifications.noteAction("late", title: "t", isOwn: true, response: Response())
    #expect(try actions(harness).count == 8)
  }

  @Test func `A23 a response that comes along two ways is one event`() throws {
    let harness = try SdkHarness()
    let notifications = notifications(FakeNotificationCenter())
    notifications.start(buffer: try #require(harness.sdk.getEventBuffer()))
    let response = Response()
    notifications.noteAction("a", title: "t", isOwn: true, response: response)
    notifications.noteAction("a", title: "t", isOwn: true, response: response)
    notifications.noteAction("a", title: "t", isOwn: true, response: Response())
    #expect(try actions(harness).count == 2)
  }

  @Test func `A23 in release builds the title of somebody else's notification is not recorded`() throws {
    let harness = try SdkHarness()
    let notifications = notifications(FakeNotificationCenter(), isDebugBuild: false)
    notifications.start(buffer: try #require(harness.sdk.getEventBuffer()))
    notifications.noteAction("reply", title: "Anna: see you at 8?", isOwn: false, response: Response())
    notifications.noteAction("ok", title: "Backup done", isOwn: true, response: Response())
    #expect(try actions(harness).map(\.notificationTitle) == [nil, "Backup done"])
  }

  @Test func `A23 a title of a megabyte is recorded in short`() throws {
    let harness = try SdkHarness()
    let notifications = notifications(FakeNotificationCenter())
    notifications.start(buffer: try #require(harness.sdk.getEventBuffer()))
    let long = String(repeating: "\u{1}", count: 1 << 20)
    notifications.noteAction(long, title: long, isOwn: true, response: Response())
    #expect(try actions(harness).map { $0.notificationTitle?.utf8.count } == [LocalNotification.maximumTitle])
    try harness.expectBalancedLedger(recorded: 1)
  }
}
