import Foundation

/// The programs that tests start.
public enum HelperProgram {
  /// Where the build puts them: beside the tests.
  public static let directory: URL = {
    #if canImport(Darwin)
    for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
      return bundle.bundleURL.deletingLastPathComponent()
    }
    #endif
    return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  }()

  /// - Parameter name: the target's.
  public static func named(_ name: String) -> URL { directory.appendingPathComponent(name) }
}
