import UIKit

/// What SwiftUI draws its views in, by the name that it has on a device. No documentation has it.
final class _UIHostingView: UIView {
  /// Nothing is laid out: each thing on the screen has a line of its own, the lowest ones share them.
  static func place(line: Int) -> CGPoint { CGPoint(x: 195, y: 70 + Double(line % 16) * 46) }
}
