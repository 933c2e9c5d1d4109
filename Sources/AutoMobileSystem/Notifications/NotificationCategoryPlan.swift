import AutoMobileJournal
import AutoMobileRecorder
import Foundation

/// A category as the system has it registered.
struct RegisteredCategory: Sendable, Equatable {
  var id: String
  var actions: [NotificationAction]
}

/// Which category a notification gets.
enum NotificationCategoryPlan: Equatable {
  case none
  /// One that is there.
  case use(String)
  /// One that has to be registered before, instead of the one with this identifier, if there is one.
  case register(RegisteredCategory)

  /// More of our own than this are not registered: an app that gives each notification actions of its own would never end.
  static let maximumOwn = 64

  /// - Parameter registered: all there are.
  init(for notification: LocalNotification, registered: [RegisteredCategory]) {
    let actions = notification.actions
    if let id = notification.categoryId {
      let isThere = actions.isEmpty || registered.contains(RegisteredCategory(id: id, actions: actions))
      self = isThere ? .use(id) : .register(RegisteredCategory(id: id, actions: actions))
      return
    }
    guard !actions.isEmpty else {
      self = .none
      return
    }
    let plain = AutoMobileNotifications.categoryIdentifier
    let own = registered.filter { $0.id == plain || $0.id.hasPrefix(plain + ".") }
    if let known = own.first(where: { $0.actions == actions }) {
      self = .use(known.id)
    } else if own.contains(where: { $0.id == plain }), own.count < Self.maximumOwn {
      self = .register(RegisteredCategory(id: plain + "." + Self.name(of: actions), actions: actions))
    } else {
      self = .register(RegisteredCategory(id: plain, actions: actions))
    }
  }

  /// The same in every launch.
  private static func name(of actions: [NotificationAction]) -> String {
    var hash = FNV1a()
    for action in actions {
      for text in [action.actionId, action.label] {
        text.utf8.forEach { hash.add($0) }
        // The zero tells where one text ends.
        hash.add(0)
      }
    }
    return HexDigits.digits(hash.value)
  }
}
