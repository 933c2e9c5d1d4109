import Testing

@testable import AutoMobileSystem

/// A23: which category a notification gets, and that nobody's is lost.
@Suite struct NotificationCategoryPlanTests {
  private let plain = AutoMobileNotifications.categoryIdentifier
  private let yes = NotificationAction(label: "Yes", actionId: "yes")
  private let no = NotificationAction(label: "No", actionId: "no")

  private func plan(
    _ actions: [NotificationAction], _ categoryId: String? = nil, registered: [RegisteredCategory] = []
  ) -> NotificationCategoryPlan {
    NotificationCategoryPlan(
      for: LocalNotification(title: "", body: "", style: .default, actions: actions, categoryId: categoryId),
      registered: registered)
  }

  @Test func `A23 without actions there is no category but the one that was asked for`() {
    #expect(plan([]) == .none)
    #expect(plan([], "") == .none)
    #expect(plan([], "mine") == .use("mine"))
  }

  @Test func `A23 actions make the documented category`() {
    #expect(plain == "dev.jasonpearson.automobile.sdk.NOTIFICATION")
    #expect(plan([yes]) == .register(RegisteredCategory(id: plain, actions: [yes])))
    #expect(plan([yes], "mine") == .register(RegisteredCategory(id: "mine", actions: [yes])))
  }

  @Test func `A23 what is registered already is not registered again`() {
    #expect(plan([yes], registered: [RegisteredCategory(id: plain, actions: [yes])]) == .use(plain))
    #expect(plan([yes], "mine", registered: [RegisteredCategory(id: "mine", actions: [yes])]) == .use("mine"))
  }

  @Test func `A23 other actions get a category of their own, so that a notification keeps its buttons`() throws {
    var registered = [RegisteredCategory(id: plain, actions: [yes])]
    guard case .register(let other) = plan([no], registered: registered) else {
      Issue.record("nothing is registered")
      return
    }
    #expect(other.id.hasPrefix(plain + ".") && other.actions == [no])
    registered.append(other)
    #expect(plan([no], registered: registered) == .use(other.id))
    #expect(plan([yes], registered: registered) == .use(plain))
    guard case .register(let third) = plan([no, yes], registered: registered) else {
      Issue.record("nothing is registered")
      return
    }
    #expect(third.id != other.id)
  }

  @Test func `A23 categories do not pile up without end`() {
    var registered = [RegisteredCategory(id: "app", actions: [yes])]
    for number in 0..<1000 {
      let action = NotificationAction(label: "\(number)", actionId: "a")
      guard case .register(let category) = plan([action], registered: registered) else { continue }
      registered = registered.filter { $0.id != category.id } + [category]
    }
    #expect(registered.count == NotificationCategoryPlan.maximumOwn + 1)
    #expect(registered.first?.id == "app")
  }
}
