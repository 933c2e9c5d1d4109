#if canImport(UIKit) && !os(watchOS)
import UIKit

#if canImport(ObjectiveC)
import ObjectiveC
#endif

/// Whether Core Animation can copy layers of a class without ending the process.
enum LayerCopies {
  #if canImport(ObjectiveC)
  private static let initializer = NSSelectorFromString("initWithLayer:")
  /// Those of the system that are written in Swift, and whose layers are animated in each app. Of others one is known that traps
  /// (`CameraUI.ModeLoupeLayer`, iOS 26).
  private static let trusted = ["SwiftUI", "SwiftUICore", "UIKitCore", "QuartzCore"]

  /// The system's can. Others can when they leave that to the system: where they do not, the method may be what the compiler put there,
  /// which traps, and nobody can tell that from one that somebody wrote.
  static func canBeMade(of type: AnyClass) -> Bool {
    var current: AnyClass? = type
    while let next = current, !isTrusted(next) { current = class_getSuperclass(next) }
    guard let system = current else { return false }
    return system == type || class_getInstanceMethod(type, initializer) == class_getInstanceMethod(system, initializer)
  }

  private static func isTrusted(_ type: AnyClass) -> Bool {
    guard let image = class_getImageName(type) else { return false }
    let path = String(cString: image)
    // In the simulator behind the path of its runtime.
    let isSystems = ["/System/Library/", "/usr/lib/"].contains {
      path.hasPrefix($0) || path.contains("/RuntimeRoot\($0)")
    }
    guard isSystems else { return false }
    let name = String(cString: class_getName(type))
    let isSwift = name.contains(".") || name.hasPrefix("_Tt")
    return !isSwift || trusted.contains { path.contains("/\($0).framework/") }
  }
  #else
  static func canBeMade(of type: AnyClass) -> Bool {
    // By the module: of a class of the app's nobody can tell, here neither.
    ["QuartzCore.", "UIKit.", "SwiftUI."].contains { String(reflecting: type).hasPrefix($0) }
  }
  #endif
}
#endif
