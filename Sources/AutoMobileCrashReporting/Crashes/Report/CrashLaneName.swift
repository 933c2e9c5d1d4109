import AutoMobileJournal

/// The name of a lane that is not this launch's: `<launch>.crash`, and `<launch>@<claimer>.crash` from the moment on
/// when another launch was about to record its event.
package struct CrashLaneName: Hashable, Sendable {
  var launch: LaunchID
  var claimer: LaunchID?

  private static let suffix = ".crash"

  init(launch: LaunchID, claimer: LaunchID? = nil) {
    self.launch = launch
    self.claimer = claimer
  }

  init?(_ text: String) {
    guard text.hasSuffix(Self.suffix) else { return nil }
    let parts = text.dropLast(Self.suffix.count).split(separator: "@", omittingEmptySubsequences: false)
    guard let first = parts.first, let launch = LaunchID(first), parts.count <= 2 else { return nil }
    self.launch = launch
    if parts.count == 2 {
      guard let claimer = LaunchID(parts[1]) else { return nil }
      self.claimer = claimer
    }
  }

  var text: String { launch.description + (claimer.map { "@" + $0.description } ?? "") + Self.suffix }
}
