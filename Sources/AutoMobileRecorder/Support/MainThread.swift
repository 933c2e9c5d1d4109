import Foundation

/// For what a system framework calls on the main thread, as documented, and somebody else perhaps elsewhere.
package enum MainThread {
  #if !canImport(Darwin)
  /// Whoever serves the main queue need not be the first thread there.
  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()
  #endif

  /// Calls `body` if this is the main thread; else does nothing, for that is no reason to end the app.
  package static func run(_ body: @MainActor () -> Void) {
    #if canImport(Darwin)
    guard Thread.isMainThread else { return }
    #else
    guard Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true else { return }
    #endif
    MainActor.assumeIsolated(body)
  }
}
