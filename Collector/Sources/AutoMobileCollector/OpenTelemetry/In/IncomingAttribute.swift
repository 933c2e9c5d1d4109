/// Attributes of records that are looked at before anything is written.
enum IncomingAttribute {
  case session, user, eventName, exceptionType, exceptionMessage, exceptionStack, screen

  init?(_ key: String) {
    guard let known = Self.known[key] else { return nil }
    self = known
  }

  private static let known: [String: IncomingAttribute] = [
    "session.id": .session, "user.id": .user, "enduser.id": .user, "event.name": .eventName,
    "exception.type": .exceptionType, "exception.message": .exceptionMessage,
    "exception.stacktrace": .exceptionStack, EventNames.screenName: .screen,
  ]

  /// Whether it says where a record belongs, which its context does.
  static func isPlace(_ key: String) -> Bool { key == "session.id" || key == "user.id" || key == "enduser.id" }
}

/// An exception as records and events of spans tell of it.
struct IncomingException {
  var type: String?
  var message: String?
  var stack: String?
  var screen: String?

  static let names: Set<String> = [
    "exception.type", "exception.message", "exception.stacktrace", EventNames.screenName,
  ]

  var isThere: Bool { type != nil || message != nil || stack != nil }

  /// The members of a crash or a handled exception.
  ///
  /// - Parameter said: the record's own text.
  func write(said: String, to json: inout EventBytes) {
    json.member("errorDomain", type ?? "Exception")
    json.member("errorMessage", optional: message)
    json.member("stackTrace", stack ?? "")
    if said != message { json.member("customMessage", optional: said) }
    json.member("currentScreen", optional: screen)
  }
}
