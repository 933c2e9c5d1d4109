/// Names in events that other modules record, and that rules and summaries look for.
package enum RecordedName {
  /// The custom event with the time to the first frame.
  package static let launch = "App Launch"
  /// The custom event about slow and frozen frames.
  package static let frames = "Frames"
  /// The types of interactions that annoy.
  package static let rageTap = "rage_tap"
  package static let deadTap = "dead_tap"
  /// The state of the lifecycle event that says how an earlier launch ended.
  package static let launchEnd = "previous_launch_ended"
}
