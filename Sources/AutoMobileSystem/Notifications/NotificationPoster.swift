import Foundation

/// The system's centre of notifications, as far as posting needs it.
protocol LocalNotificationCenter: Sendable {
  func registeredCategories() async -> [RegisteredCategory]

  /// Registers a category, instead of the one with the same identifier if there is one; all others stay.
  func register(_ category: RegisteredCategory) async

  /// Hands it over.
  ///
  /// - Parameter image: a file that may be moved away.
  func add(_ notification: LocalNotification, categoryId: String?, image: URL?) async -> PostOutcome
}

/// Posts notifications: gets the image, sees to the category, hands over, and clears up.
final class NotificationPoster: Sendable {
  private let center: any LocalNotificationCenter
  private let images: NotificationImages
  private let turn = Turn()

  init(center: any LocalNotificationCenter, images: NotificationImages) {
    self.center = center
    self.images = images
  }

  func post(_ notification: LocalNotification, imagePath: String?) async -> PostOutcome {
    var problems: [String] = []
    var image: URL?
    if let imagePath, !imagePath.isEmpty {
      do throws(ImageProblem) {
        image = try await images.file(for: imagePath)
      } catch {
        problems.append(error.reason)
      }
    }
    let center = center
    let categoryId = await turn.take { await Self.category(for: notification, in: center) }
    var outcome = await center.add(notification, categoryId: categoryId, image: image)
    if let image { images.remove(image) }
    outcome.problems = problems + outcome.problems
    return outcome
  }

  /// The system has one set of categories, which is read, changed and written as a whole: one notification at a time.
  private static func category(
    for notification: LocalNotification, in center: any LocalNotificationCenter
  ) async -> String? {
    if notification.actions.isEmpty { return notification.categoryId }
    switch NotificationCategoryPlan(for: notification, registered: await center.registeredCategories()) {
    case .none: return nil
    case .use(let id): return id
    case .register(let category):
      await center.register(category)
      return category.id
    }
  }
}

/// Lets one in after the other, in the order in which they came.
private actor Turn {
  private var last: Task<Void, Never>?

  func take<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) async -> Result {
    let before = last
    let mine = Task {
      await before?.value
      return await body()
    }
    last = Task { _ = await mine.value }
    return await mine.value
  }
}
