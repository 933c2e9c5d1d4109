@_exported import Foundation

/// Documentation: *UIResponder*. iOS 2.0.
@MainActor open class UIResponder: NSObject {
  nonisolated public override init() {}
}
