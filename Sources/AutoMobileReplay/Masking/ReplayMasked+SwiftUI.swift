#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
import AutoMobileInterface
import AutoMobileRecorder
import SwiftUI
import UIKit

/// A view of UIKit, of the same size as the one in front of it, that says whether that may be seen: SwiftUI draws by
/// itself what it shows, and has no views that could be marked.
struct MaskMarker: UIViewRepresentable {
  let mark: MaskingRules.Mark?

  func makeUIView(context: Context) -> UIView {
    let view = UIView(frame: .zero)
    view.isUserInteractionEnabled = false
    return view
  }

  func updateUIView(_ uiView: UIView, context: Context) {
    ErrorBarrier.run(.viewAppearance) { MaskMarks.shared.set(mark, for: uiView) }
  }
}

extension View {
  /// Covers this view in replays: in pictures before they are encoded, in wireframes, and in the labels of taps.
  ///
  ///     Text(account.iban).replayMasked()
  ///
  /// Fields for text are covered without this, and fields for passwords always. What is masked stays so, whatever is said of
  /// what is in it.
  ///
  /// - Parameter isMasked: whether that holds now.
  public func replayMasked(_ isMasked: Bool = true) -> some View {
    background { MaskMarker(mark: isMasked ? .mask : nil) }
  }

  /// Shows this view in replays where it is covered by itself: a field for text, a page of the web, a camera, an image.
  ///
  ///     TextField("Search for drinks", text: $search).replayUnmasked()
  ///
  /// What is in it and is masked stays covered, as do fields for passwords, and everything in a view that is masked. What
  /// stands out of this view's place stays covered, too.
  ///
  /// - Parameter isUnmasked: whether that holds now.
  public func replayUnmasked(_ isUnmasked: Bool = true) -> some View {
    background { MaskMarker(mark: isUnmasked ? .unmasksFromHere : nil) }
      .overlay { MaskMarker(mark: isUnmasked ? .unmasksToHere : nil).allowsHitTesting(false) }
  }
}
#endif
