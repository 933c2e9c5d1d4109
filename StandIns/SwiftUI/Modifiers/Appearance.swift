extension View {
  /// Documentation: *onAppear(perform:)*. iOS 13.0.
  nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    AppearanceView(content: self, onAppear: action)
  }
}

/// A view with something to do when it appears.
struct AppearanceView<Content: View> {
  let content: Content
  let onAppear: (() -> Void)?
}

// Apart, so that it can be made by whoever is not on the main actor.
extension AppearanceView: View, PrimitiveView {
  typealias Body = Never

  func install(on screen: SimulatedScreen) {
    screen.show(content)
    if let onAppear { screen.appearances.append(onAppear) }
  }
}
