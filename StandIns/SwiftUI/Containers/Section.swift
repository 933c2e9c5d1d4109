/// Documentation: *Section*. iOS 13.0.
nonisolated public struct Section<Parent: View, Content: View, Footer: View>: View, PrimitiveView {
  public typealias Body = Never
  private let header: Parent
  private let content: Content
  private let footer: Footer

  @MainActor func update(_ node: ViewNode) {
    node.arrangement = .section
    node.setChildren([
      ViewNode.Child("header", header), ViewNode.Child("content", content), ViewNode.Child("footer", footer),
    ])
  }
}

extension Section where Parent == EmptyView, Footer == EmptyView {
  /// Documentation: *init(content:)*. iOS 13.0.
  nonisolated public init(@ViewBuilder content: () -> Content) {
    header = EmptyView()
    self.content = content()
    footer = EmptyView()
  }
}

extension Section where Parent == Text, Footer == EmptyView {
  /// Documentation: *init(_:content:)*. iOS 15.0.
  nonisolated public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
    header = Text(titleKey)
    self.content = content()
    footer = EmptyView()
  }
}
