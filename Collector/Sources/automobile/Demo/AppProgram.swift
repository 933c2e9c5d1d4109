import Foundation

/// Where the demo's app is: a program of its own, built in the SDK's package.
enum AppProgram {
  #if os(Linux)
  static let name = "automobile-demo-app"
  #else
  /// Without screens: there are no stand-ins for them.
  static let name = "automobile-demo-plain"
  #endif

  /// - Throws: ``Failure`` that says where it was looked for.
  static func find(_ given: String?) throws -> URL {
    let environment = ProcessInfo.processInfo.environment
    if let given = given ?? environment["AUTOMOBILE_DEMO_APP"] {
      guard FileManager.default.isExecutableFile(atPath: given) else {
        throw Failure(kind: .unavailable, message: "\(given) is not a program.", advice: "Build it: \(build)")
      }
      return URL(filePath: given).absoluteURL
    }
    let candidates = self.candidates
    guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
      throw Failure(
        kind: .unavailable, message: "The demo's app was not found beside this program, nor in the SDK's package.",
        advice: "Build it: \(build) — and name it with --app.")
    }
    return found
  }

  #if os(Linux)
  private static let scratch = ".build/standins"
  private static let build = "AUTOMOBILE_STANDINS=1 swift build --product \(name) --scratch-path \(scratch)"
  #else
  private static let scratch = ".build"
  private static let build = "swift build --product \(name)"
  #endif

  /// Beside this program; and, when this one lies in Collector/.build/debug, where the package around it is built.
  private static var candidates: [URL] {
    let own = (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])).resolvingSymlinksInPath()
    var candidates = [own.deletingLastPathComponent().appending(path: name)]
    var folder = own.deletingLastPathComponent()
    for _ in 0..<6 {
      folder = folder.deletingLastPathComponent()
      candidates.append(folder.appending(path: "\(scratch)/debug/\(name)"))
    }
    return candidates
  }
}
