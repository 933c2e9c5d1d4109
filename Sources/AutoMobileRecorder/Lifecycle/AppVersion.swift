/// Which build of the app runs, as its information property list says.
struct AppVersion: Sendable, Equatable {
  /// `CFBundleShortVersionString`.
  var version: String
  /// `CFBundleVersion`.
  var build: String

  static let unknown = "unknown"
}
