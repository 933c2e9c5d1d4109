#if canImport(SwiftUI)
import AutoMobileRecorder
import SwiftUI

/// Reports a screen each time it appears.
public struct TrackNavigationModifier: ViewModifier {
  private let destination: String
  private let arguments: [String: String]
  private let metadata: [String: String]

  public init(destination: String, arguments: [String: String] = [:], metadata: [String: String] = [:]) {
    self.destination = destination
    self.arguments = arguments
    self.metadata = metadata
  }

  public func body(content: Content) -> some View {
    content.onAppear {
      ErrorBarrier.run(.viewAppearance) {
        SwiftUINavigationAdapter.shared.trackNavigation(
          destination: destination, arguments: arguments, metadata: metadata)
      }
    }
  }
}

extension View {
  /// Reports this view as a screen, each time it appears.
  ///
  ///     ProductView(product)
  ///       .trackNavigation(destination: "product", arguments: ["id": product.id])
  public func trackNavigation(
    destination: String, arguments: [String: String] = [:], metadata: [String: String] = [:]
  ) -> some View {
    modifier(TrackNavigationModifier(destination: destination, arguments: arguments, metadata: metadata))
  }
}
#endif
