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
nonisolated public struct _ViewModifier_Content<Modifier: ViewModifier>: View, PrimitiveView {
  public typealias Body = Never
  let content: any View

  @MainActor func update(_ node: ViewNode) { node.setChildren([ViewNode.Child(0, content)]) }
}

/// Documentation: *ModifiedContent*. iOS 13.0.
nonisolated public struct ModifiedContent<Content, Modifier> {
  /// Documentation: *content*. iOS 13.0.
  public var content: Content
  /// Documentation: *modifier*. iOS 13.0.
  public var modifier: Modifier

  /// Documentation: *init(content:modifier:)*. iOS 13.0.
  public init(content: Content, modifier: Modifier) {
    self.content = content
    self.modifier = modifier
  }
}

extension ModifiedContent: View, PrimitiveView where Content: View, Modifier: ViewModifier {
  public typealias Body = Never

  @MainActor func update(_ node: ViewNode) {
    let pair = ModifierPair(content: content, modifier: modifier)
    node.setChildren([ViewNode.Child(0, pair)])
  }
}

/// Evaluates the modifier's body, with the modifier's own states linked.
nonisolated private struct ModifierPair<Content: View, Modifier: ViewModifier>: View, PrimitiveView {
  typealias Body = Never
  let content: Content
  let modifier: Modifier

  @MainActor func update(_ node: ViewNode) {
    node.link(modifier)
    node.setChildren([ViewNode.Child(0, modifier.body(content: _ViewModifier_Content(content: content)))])
  }
}

extension View {
  /// Documentation: *modifier(_:)*. iOS 13.0.
  nonisolated public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
    ModifiedContent(content: self, modifier: modifier)
  }
}

/// A view to which the framework itself adds something.
nonisolated struct Decorated<Content: View>: View, PrimitiveView {
  typealias Body = Never
  let content: Content
  /// What comes beside the content, above it.
  var extra: [ViewNode.Child] = []
  let decorate: @MainActor (ViewNode) -> Void

  @MainActor func update(_ node: ViewNode) {
    decorate(node)
    node.setChildren([ViewNode.Child("content", content)] + extra)
  }
}
