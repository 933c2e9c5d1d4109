/// Documentation: *ViewModifier*. iOS 13.0.
@MainActor @preconcurrency public protocol ViewModifier {
  /// Documentation: *Body*. iOS 13.0.
  associatedtype Body: View
  /// Documentation: *body(content:)*. iOS 13.0.
  @ViewBuilder @MainActor @preconcurrency func body(content: Self.Content) -> Self.Body
  /// Documentation: *Content*. iOS 13.0.
  typealias Content = _ViewModifier_Content<Self>
}

/// The view that a modifier is applied to, as its `body(content:)` is given it.
public struct _ViewModifier_Content<Modifier: ViewModifier>: View, PrimitiveView {
  public typealias Body = Never
  let installContent: @MainActor (SimulatedScreen) -> Void

  func install(on screen: SimulatedScreen) { installContent(screen) }
}

/// Documentation: *ModifiedContent*. iOS 13.0.
public struct ModifiedContent<Content, Modifier> {
  var content: Content
  var modifier: Modifier

  /// Documentation: *init(content:modifier:)*. iOS 13.0.
  nonisolated public init(content: Content, modifier: Modifier) {
    self.content = content
    self.modifier = modifier
  }
}

extension ModifiedContent: View, PrimitiveView where Content: View, Modifier: ViewModifier {
  public typealias Body = Never

  func install(on screen: SimulatedScreen) {
    let content = content
    screen.show(modifier.body(content: _ViewModifier_Content { $0.show(content) }))
  }
}

extension View {
  /// Documentation: *modifier(_:)*. iOS 13.0.
  nonisolated public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
    ModifiedContent(content: self, modifier: modifier)
  }
}
