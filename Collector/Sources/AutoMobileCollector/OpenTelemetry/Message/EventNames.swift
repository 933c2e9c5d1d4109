/// Names of events and attributes by OpenTelemetry's semantic conventions, for both directions. Where there is no convention, the
/// name is ours: Documentation/OpenTelemetry.md says which.
enum EventNames {
  static let sessionStart = "session.start"
  static let sessionEnd = "session.end"
  static let lifecycle = "device.app.lifecycle"
  static let crash = "app.crash"
  static let exception = "exception"
  static let screenClick = "app.screen.click"
  static let widgetClick = "app.widget.click"
  static let jank = "app.jank"
  // Ours:
  static let screenView = "app.screen.view"
  static let hang = "app.hang"
  /// In seconds.
  static let hangDuration = "app.hang.duration"
  static let screenName = "app.screen.name"

  /// What an event of this name is here; nil: an event of the app's own.
  enum Kind { case crash, hang, screen, lifecycle, click, exception }

  static func kind(of name: String) -> Kind? {
    switch name {
    case "": nil
    case crash, "device.crash": .crash
    case hang: .hang
    case screenView: .screen
    case lifecycle, sessionStart, sessionEnd: .lifecycle
    case screenClick, widgetClick: .click
    case exception: .exception
    default: nil
    }
  }

  static let stateNames = ["ios.app.state", "android.app.state", "automobile.state"]
  static let states: Set<String> = ["active", "inactive", "foreground", "background", "terminate"]

  /// Attributes of clicks, and the properties of taps that they are.
  static let clickProperties: [(attribute: String, property: String)] = [
    ("app.screen.coordinate.x", "x"), ("app.screen.coordinate.y", "y"), ("app.widget.id", "accessibilityIdentifier"),
    ("app.widget.name", "text"), (screenName, "screen"),
  ]
}
