#if canImport(UIKit) && !canImport(Darwin)
import AutoMobileSupport
import Foundation

/// What the bundle of an app would say, where its screens stand on stand-ins: a program there has none. Not part of any product.
package struct StandInApp: Sendable {
  private static let current = Locked<StandInApp?>(nil)

  private let version: String
  private let build: String
  private let store: UserDefaultsStore

  /// From the next initialization on, this is the app.
  ///
  /// - Parameter defaults: its standard ones.
  package static func install(version: String, build: String, defaults: UserDefaults) {
    let app = StandInApp(version: version, build: build, store: UserDefaultsStore(defaults))
    current.withLock { $0 = app }
  }

  package static func remove() { current.withLock { $0 = nil } }

  static func describe(_ environment: inout SdkEnvironment) {
    guard let app = current.withLock({ $0 }) else { return }
    environment.appVersion = app.version
    environment.appBuild = app.build
    environment.makeStore = { app.store }
  }
}
#endif
