#if canImport(UIKit) && !os(watchOS)
import UIKit

/// What the name of a view's class says, found out once for each class.
@MainActor enum ViewTypes {
  struct Facts {
    var name: String
    /// A window of the keyboard's. These have no public name.
    var isKeyboard = false
    /// Draws what it holds by itself, so nobody can tell what is interactive in it: SwiftUI, and pages of the web.
    var isOpaque = false
  }

  private static var known: [ObjectIdentifier: Facts] = [:]

  static func facts(_ view: UIView) -> Facts {
    let type = type(of: view)
    if let facts = known[ObjectIdentifier(type)] { return facts }
    let name = String(describing: type)
    let facts = Facts(
      name: name, isKeyboard: name.contains("Keyboard") || name.contains("TextEffects"),
      isOpaque: name.contains("HostingView") || name.hasPrefix("WK"))
    known[ObjectIdentifier(type)] = facts
    return facts
  }
}
#endif
