#if canImport(SwiftUI)
import AutoMobileRecorder
import SwiftUI

/// Records taps on the view by a name that the app gives it, and leaves them to the view.
struct TrackTapModifier: ViewModifier {
  let name: String
  @State private var frame = TappedFrame()

  @ViewBuilder func body(content: Content) -> some View {
    if #available(iOS 16.0, macOS 13.0, *) {
      content.simultaneousGesture(SpatialTapGesture(coordinateSpace: .global).onEnded { record(at: $0.location) })
    } else {
      // Before, a gesture did not tell where the tap was: the middle of the view has to do.
      content
        .background {
          GeometryReader { area in
            frame.note(area.frame(in: .global))
            return Color.clear
          }
        }
        .simultaneousGesture(TapGesture().onEnded { record(at: frame.middle) })
    }
  }

  private func record(at place: CGPoint) {
    ErrorBarrier.run(.interaction) {
      AutoMobileInteractionTracker.shared.recordTap(
        on: name, at: ScreenPoint(x: Double(place.x), y: Double(place.y)), covered: covered(place))
    }
  }

  /// Where a tap is said to have been that was on something masked.
  private func covered(_ place: CGPoint) -> ScreenPoint? {
    var covered: ScreenPoint?
    #if canImport(UIKit) && !os(watchOS)
    MainThread.run { covered = MaskMarks.shared.masked(at: place).map(MaskedTouch.middle) }
    #endif
    return covered
  }
}

/// Where the view is on the screen. Changing it changes no view.
// Unchecked: used on the main thread only, where views are laid out and tapped.
private final class TappedFrame: @unchecked Sendable {
  private var frame = CGRect.zero

  var middle: CGPoint { CGPoint(x: frame.midX, y: frame.midY) }

  func note(_ frame: CGRect) { self.frame = frame }
}

extension View {
  /// Records taps on this view by a name, while ``AutoMobileInteractionTracker`` is enabled. The view has them as before.
  ///
  ///     Button("Pay") { pay() }.trackTap("pay")
  ///
  /// SwiftUI draws by itself what a window's views hold: taps are recorded without this, too, but not on what.
  ///
  /// - Parameter name: the same as an accessibility identifier, for example; 256 bytes of UTF-8 at most.
  public func trackTap(_ name: String) -> some View { modifier(TrackTapModifier(name: name)) }
}
#endif
