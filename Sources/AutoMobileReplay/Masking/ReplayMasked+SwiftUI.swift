#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
import AutoMobileSDK
import SwiftUI
import UIKit

/// A view of UIKit, of the same size as the one in front of it, that says whether that may be seen: SwiftUI draws by
/// itself what it shows, and has no views that could be marked.
struct MaskMarker: UIViewRepresentable {
  let isMasked: Bool

  func makeUIView(context: Context) -> UIView {
    let view = UIView(frame: .zero)
    view.isUserInteractionEnabled = false
    return view
  }

  func updateUIView(_ uiView: UIView, context: Context) {
    ErrorBarrier.run(.viewAppearance) { MaskMarks.shared.set(isMasked ? .mask : nil, for: uiView) }
  }
}

extension View {
  /// Covers this view in replays: in pictures before they are encoded, and in wireframes.
  ///
  ///     Text(account.iban).replayMasked()
  ///
  /// Fields for text are covered without this, and fields for passwords always.
  ///
  /// - Parameter isMasked: whether that holds now.
  public func replayMasked(_ isMasked: Bool = true) -> some View {
    background { MaskMarker(isMasked: isMasked) }
  }
}
#endif
