/// What kind of launch this is, by the names that it has in events.
enum LaunchKind: String, Sendable {
  /// Somebody opened the app, and its process was made for that.
  case cold
  /// The system had made the process before, and had let it come as far as it could without anybody's wanting it.
  case prewarmed
  /// Nobody opened it: a push, a fetch, a location.
  case background
}
