import AutoMobileSupport
import Foundation

@testable import AutoMobileRecorder
@testable import AutoMobileSystem

/// A system's centre of notifications, which takes its time.
final class FakeNotificationCenter: LocalNotificationCenter {
  struct Posted: Sendable {
    var notification: LocalNotification
    var categoryId: String?
    var imageName: String?
    var imageContent: Data?
  }

  private let categories: Locked<[RegisteredCategory]>
  private let posted = Locked<[Posted]>([])
  private let isAllowed: Bool

  init(_ categories: [RegisteredCategory] = [], isAllowed: Bool = true) {
    self.categories = Locked(categories)
    self.isAllowed = isAllowed
  }

  var all: [Posted] { posted.withLock { $0 } }
  var registered: [RegisteredCategory] { categories.withLock { $0 } }

  func registeredCategories() async -> [RegisteredCategory] {
    await Task.yield()
    return registered
  }

  /// As the system has it: read, and written as a whole.
  func register(_ category: RegisteredCategory) async {
    let before = await registeredCategories()
    await Task.yield()
    categories.withLock { $0 = before.filter { $0.id != category.id } + [category] }
  }

  func add(_ notification: LocalNotification, categoryId: String?, image: URL?) async -> PostOutcome {
    guard isAllowed else { return PostOutcome(isPosted: false, problems: ["not allowed"]) }
    let content = image.flatMap { try? Data(contentsOf: $0) }
    posted.withLock {
      $0.append(
        Posted(
          notification: notification, categoryId: categoryId, imageName: image?.lastPathComponent,
          imageContent: content))
    }
    return PostOutcome(isPosted: true)
  }
}

/// The beginnings of images, which is what they are known by.
enum Picture {
  static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data("pixels".utf8)
  static let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data("pixels".utf8)
  static let gif = Data("GIF89a pixels".utf8)
}
