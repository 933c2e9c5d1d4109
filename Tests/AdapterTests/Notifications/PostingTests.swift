import Foundation
import Testing
import UserNotifications

@testable import AutoMobileSystem

/// A23: posting, as `UNUserNotificationCenter` sees it.
@MainActor @Suite(.serialized) struct PostingTests {
  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent("posting-\(UUID().uuidString)")
  private let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

  private func notifications(_ center: UNUserNotificationCenter) -> AutoMobileNotifications {
    let poster = NotificationPoster(
      center: SystemNotificationCenter(center),
      images: NotificationImages(directory: directory.appendingPathComponent("images")))
    return AutoMobileNotifications(makePoster: { poster })
  }

  private func inDirectory(_ body: () async throws -> Void) async throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try await body()
  }

  @Test func `A23 what is posted is on the screen, with its image and its buttons`() async throws {
    try await inDirectory {
      let own = directory.appendingPathComponent("own.picture")
      try png.write(to: own)
      let center = UNUserNotificationCenter.simulated()
      let isPosted = await notifications(center).post(
        title: "Coffee ☕️", body: "Table 4\0", style: .bigPicture, imagePath: own.path,
        actions: [
          NotificationAction(label: "Coming", actionId: "coming"),
          NotificationAction(label: "Later", actionId: "later"),
        ])
      #expect(isPosted)
      let content = try #require(center.simulatedNotifications.first).request.content
      #expect(content.title == "Coffee ☕️" && content.body == "Table 4" && content.sound != nil)
      #expect(content.userInfo[LocalNotification.styleKey] as? String == "bigPicture")
      let image = try #require(content.attachments.first)
      #expect(image.url.lastPathComponent == "image.png")
      #expect(try Data(contentsOf: image.url) == png)
      #expect(try Data(contentsOf: own) == png, "the app's file is where it was")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: directory.appendingPathComponent("images").path) == [])
      let category = try #require(center.simulatedCategories.first)
      #expect(category.identifier == content.categoryIdentifier)
      #expect(category.identifier == AutoMobileNotifications.categoryIdentifier)
      #expect(category.actions.map(\.identifier) == ["coming", "later"])
      #expect(category.actions.map(\.title) == ["Coming", "Later"])
    }
  }

  @Test func `A23 without permission nothing is posted`() async {
    let center = UNUserNotificationCenter.simulated(isAllowed: false)
    let notifications = notifications(center)
    #expect(await notifications.post(title: "t", body: "b") == false)
    #expect(notifications.lastError?.hasPrefix("the system did not take the notification") == true)
    #expect(center.simulatedNotifications.isEmpty)
  }

  @Test func `A23 the app's categories stay, with their options, however many posts there are at once`() async {
    let center = UNUserNotificationCenter.simulated()
    let reply = UNNotificationAction(identifier: "reply", title: "Reply", options: .foreground)
    let own = UNNotificationCategory(
      identifier: "message", actions: [reply], intentIdentifiers: ["intent"], options: .customDismissAction)
    let changed = UNNotificationCategory(
      identifier: "changed", actions: [], intentIdentifiers: ["kept"], options: .customDismissAction)
    center.setNotificationCategories([own, changed])
    let notifications = notifications(center)
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<30 {
        let id = number == 0 ? "changed" : "category \(number)"
        group.addTask {
          await notifications.post(
            title: "t", body: "b", actions: [NotificationAction(label: "l", actionId: "a")], categoryId: id)
        }
      }
      group.addTask { await notifications.post(title: "t", body: "b", categoryId: "message") }
      for await isPosted in group { #expect(isPosted) }
    }
    let categories = center.simulatedCategories
    #expect(categories.count == 31 && categories.contains(own))
    let new = categories.first { $0.identifier == "changed" }
    #expect(new?.actions.map(\.identifier) == ["a"])
    #expect(new?.intentIdentifiers == ["kept"] && new?.options == .customDismissAction)
    #expect(center.simulatedNotifications.count == 31)
  }

  @Test func `A23 an image that the system does not take is left out`() async throws {
    try await inDirectory {
      let gone = directory.appendingPathComponent("gone.png")
      let outcome = await SystemNotificationCenter(.simulated()).add(
        LocalNotification(title: "t", body: "b", style: .default, actions: [], categoryId: nil), categoryId: nil,
        image: gone)
      #expect(outcome.isPosted && outcome.problems.count == 1)
    }
  }

  @Test func `A23 the process's centre is found`() { #expect(NotificationPoster.system != nil) }
}
