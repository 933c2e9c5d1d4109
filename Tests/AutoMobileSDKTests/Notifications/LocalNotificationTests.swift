import Testing

@testable import AutoMobileSystem

/// A23: whatever an app hands over, what goes to the system is bounded.
@Suite struct LocalNotificationTests {
  @Test(arguments: ["x", "\0", "👩‍👩‍👧‍👦", "e\u{301}"])
  func `A23 a title of a megabyte is cut`(character: String) {
    let long = String(repeating: character, count: (1 << 20) / character.utf8.count)
    let cut = LocalNotification(
      title: long, body: long, style: .bigText, actions: [NotificationAction(label: long, actionId: long)],
      categoryId: long)
    // A letter that was cut becomes a sign of three bytes.
    #expect(cut.title.utf8.count <= LocalNotification.maximumTitle + 6)
    #expect(cut.body.utf8.count <= LocalNotification.maximumBody + 6)
    #expect((cut.categoryId?.utf8.count ?? 0) <= LocalNotification.maximumIdentifier + 6)
    #expect(cut.actions.allSatisfy { $0.label.utf8.count <= LocalNotification.maximumIdentifier + 6 })
    for text in [cut.title, cut.body, cut.categoryId ?? ""] { #expect(!text.utf8.contains(0)) }
  }

  @Test func `A23 texts of usual length stay as they are`() {
    let text = "Größe 👩‍👩‍👧‍👦\n\u{202E}قهوة"
    let kept = LocalNotification(title: text, body: text, style: .default, actions: [], categoryId: text)
    #expect(kept.title == text && kept.body == text && kept.categoryId == text)
  }

  @Test func `A23 actions need a name of their own, and ten are shown`() {
    let actions =
      [("none", ""), ("zero", "\0"), ("first", "a"), ("second", "a")]
      .map { NotificationAction(label: $0.0, actionId: $0.1) }
      + (0..<50).map { NotificationAction(label: "\($0)", actionId: "\($0)") }
    let kept = LocalNotification(title: "", body: "", style: .default, actions: actions, categoryId: "\0").actions
    #expect(kept.count == LocalNotification.maximumActions)
    #expect(kept.first == NotificationAction(label: "first", actionId: "a"))
    #expect(Set(kept.map(\.actionId)).count == kept.count)
  }
}
