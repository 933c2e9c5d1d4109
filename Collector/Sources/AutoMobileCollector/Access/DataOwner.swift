/// Whose data something is. Sessions, launches, replays, commands and batches are named by their owner and the name that
/// the app gave them, so that two apps with the same session id have two sessions.
///
/// The owner is the project's app, where there is a project; else the app itself. What is opened from a file has an owner
/// of its own, whatever the file says.
struct DataOwner: Hashable, Sendable {
  /// `app com.example.coffee`, `file 3f2a…`: as it stands in the log and in the index.
  let name: String

  static func app(_ bundle: String?) -> DataOwner { DataOwner(name: appPrefix + (bundle ?? "")) }
  /// The project that an app belongs to, by the longest name that fits, or the app itself.
  static func app(_ bundle: String?, among projects: Set<String>) -> DataOwner {
    guard !projects.isEmpty, var name = bundle?[...] else { return .app(bundle) }
    while !projects.contains(String(name)) {
      guard let dot = name.lastIndex(of: ".") else { return .app(bundle) }
      name = name[..<dot]
    }
    return .app(String(name))
  }

  /// All that what an app of this name brings may belong to, whatever projects there are.
  static func owners(of bundle: String) -> [DataOwner] {
    var owners = [DataOwner.app(nil), .app(bundle)]
    var name = bundle[...]
    while let dot = name.lastIndex(of: ".") {
      name = name[..<dot]
      owners.append(.app(String(name)))
    }
    return owners
  }

  static func file(_ hash: String) -> DataOwner { DataOwner(name: filePrefix + hash) }

  init(name: String) { self.name = name }

  private static let appPrefix = "app "
  private static let filePrefix = "file "

  var isFile: Bool { name.hasPrefix(Self.filePrefix) }

  /// The app that it is; nil for those without a name, and for files.
  var bundleId: String? {
    guard name.hasPrefix(Self.appPrefix), name.count > Self.appPrefix.count else { return nil }
    return String(name.dropFirst(Self.appPrefix.count))
  }

  /// By which people tell it from others of the same name: `com.example.coffee`, `file-3f2a51c0`.
  var label: String { bundleId ?? (isFile ? "file-" + name.dropFirst(Self.filePrefix.count).prefix(8) : "no-app") }

  /// Whether what it brings may say that it is of this app: the app itself, and its extensions, whose names begin with the
  /// app's, unless those are a project of their own. Who has no name may be anybody, since only those who deliver for all have none.
  func admits(_ bundle: String, among projects: Set<String>) -> Bool {
    guard bundle.utf8.count <= Self.longestBundle, !bundle.hasControlCharacters else { return false }
    guard let own = bundleId else { return true }
    return bundle == own || bundle.hasPrefix(own + ".") && DataOwner.app(bundle, among: projects.union([own])) == self
  }

  /// Whether what stands under an app's name is of the project of this name: the app itself, and its extensions, unless those
  /// are a project of their own.
  static func isOf(_ project: String, _ bundle: String, among projects: Set<String>) -> Bool {
    app(bundle, among: projects.union([project])) == app(project)
  }

  /// Of a bundle id, in bytes.
  static let longestBundle = 200
}
