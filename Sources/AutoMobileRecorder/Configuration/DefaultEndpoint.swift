import Foundation

/// Where an SDK without a configured endpoint delivers to.
package enum DefaultEndpoint {
  /// CtrlProxy on the developer's machine in a debug build of the SDK, nowhere in a release build.
  static let forThisBuild = url(isDebug: isDebugBuild)

  #if DEBUG
  package static let isDebugBuild = true
  #else
  package static let isDebugBuild = false
  #endif

  static func url(isDebug: Bool) -> URL? { isDebug ? URL(string: "http://localhost:8765") : nil }
}
