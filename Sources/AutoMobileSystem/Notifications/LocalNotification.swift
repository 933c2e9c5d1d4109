/// A notification that is to be posted, within bounds: the services of the system that take it are other processes.
struct LocalNotification: Sendable, Equatable {
  /// In bytes of UTF-8.
  static let maximumTitle = 1024
  static let maximumBody = 8192
  static let maximumIdentifier = 256
  /// As many as the system shows.
  static let maximumActions = 10
  /// In the `userInfo` of what is posted here, with the style.
  static let styleKey = "dev.jasonpearson.automobile.sdk.style"

  let title: String
  let body: String
  let style: NotificationStyle
  let actions: [NotificationAction]
  /// Nil when the app asks for none.
  let categoryId: String?

  init(title: String, body: String, style: NotificationStyle, actions: [NotificationAction], categoryId: String?) {
    self.title = Self.bounded(title, Self.maximumTitle)
    self.body = Self.bounded(body, Self.maximumBody)
    self.style = style
    var known: Set<String> = []
    var kept: [NotificationAction] = []
    for action in actions where kept.count < Self.maximumActions {
      let id = Self.bounded(action.actionId, Self.maximumIdentifier)
      guard !id.isEmpty, known.insert(id).inserted else { continue }
      kept.append(NotificationAction(label: Self.bounded(action.label, Self.maximumIdentifier), actionId: id))
    }
    self.actions = kept
    let category = categoryId.map { Self.bounded($0, Self.maximumIdentifier) }
    self.categoryId = category?.isEmpty == true ? nil : category
  }

  /// Without zero bytes, at which C ends a text.
  private static func bounded(_ text: String, _ limit: Int) -> String {
    let short = text.limited(to: limit)
    return short.utf8.contains(0) ? String(String.UnicodeScalarView(short.unicodeScalars.filter { $0 != "\0" })) : short
  }
}

/// What became of it.
struct PostOutcome: Sendable, Equatable {
  var isPosted: Bool
  /// What went wrong; also when it was posted, but without its image.
  var problems: [String] = []
}
