import Foundation

/// Who can change a file that says who is let in, and where everything goes.
enum FileOwner {
  enum Trust: Equatable {
    /// Root and the collector's own user.
    case own
    /// Another user, whom a collector that runs as root has been told to believe. In a container that is how the files of whoever
    /// started it look.
    case another
    case refused(reason: String, advice: String)
  }

  /// - Parameter user: as whom the collector runs.
  static func trust(_ status: stat, user: uid_t = geteuid()) -> Trust {
    guard status.st_mode & 0o022 == 0 else {
      return .refused(reason: "can be changed by other users of this machine", advice: "Close it with: chmod go-w")
    }
    if status.st_uid == 0 || status.st_uid == user { return .own }
    guard user == 0 else {
      return .refused(
        reason: "belongs to another user, who can change it", advice: "Make it root's or the collector's, with chown.")
    }
    return .another
  }

  /// - Parameters:
  ///   - name: of the file, with what it is for.
  ///   - warn: is told when root reads what another user can change.
  /// - Throws: ``Failure``.
  static func check(_ status: stat, _ name: String, warn: (String) -> Void) throws {
    switch trust(status) {
    case .own: break
    case .another: warn("\(name) belongs to another user, who can change it: make it root's, with chown.")
    case .refused(let reason, let advice):
      throw Failure(kind: .unavailable, message: "\(name) \(reason).", advice: advice)
    }
  }
}
