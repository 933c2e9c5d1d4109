#if canImport(UIKit) && !os(watchOS)
import AutoMobileInterface
import UIKit

extension Replay {
  /// Covers a view and all that is in it in replays: in pictures before they are encoded, in wireframes, and in the labels
  /// of taps. Holds until ``unmask(_:)``; the view is not kept alive.
  ///
  /// A view whose `accessibilityIdentifier` begins with `mask:` is covered as well.
  @MainActor public static func mask(_ view: UIView) { MaskMarks.shared.set(.mask, for: view) }

  /// Shows a view, and what is in it unless that is marked itself: fields, pages of the web and what else is covered by
  /// itself, too. Only fields for passwords stay covered.
  @MainActor public static func unmask(_ view: UIView) { MaskMarks.shared.set(.unmask, for: view) }
}
#endif
