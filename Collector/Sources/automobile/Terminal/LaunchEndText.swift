/// What ended a launch, in words for a terminal.
enum LaunchEndText {
  private static let names = [
    "clean_exit": "exited normally", "user_kill": "closed by user", "hang_kill": "killed during a hang",
    "rebooted": "device restarted", "debugger": "debugger attached", "untold": "not known yet",
  ]

  /// `out_of_memory` is read as `out of memory`; nil when nothing is known.
  static func verdict(_ verdict: String?) -> String? {
    guard let verdict, !verdict.isEmpty else { return nil }
    return names[verdict] ?? verdict.replacing("_", with: " ")
  }

  /// The verdict with its evidence; nil when nothing is known.
  static func line(_ end: JSON?) -> String? {
    guard let verdict = verdict(end?["verdict"]?.text) else { return nil }
    return [verdict, end?["evidence"]?.text].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ": ")
  }
}
