/// How a view of the framework's own arranges what is in it.
enum Arrangement {
  /// Not at all: what is in it stands among its neighbours.
  case inPlace
  case vertical(HorizontalAlignment)
  case horizontal
  case list
  case section
  case scroll
  /// Under a bar; what is on top is shown.
  case pages
  case spacer
  /// In the bar of its page.
  case toolbar
  /// As large as what it stands behind.
  case behind
  /// As large as what it stands in front of.
  case inFront
}

/// What a modifier adds beside the content, in a place of its own.
nonisolated struct Placed<Content: View>: View, PrimitiveView {
  typealias Body = Never
  let content: Content
  let arrangement: Arrangement

  @MainActor func update(_ node: ViewNode) {
    node.arrangement = arrangement
    node.setChildren([ViewNode.Child(0, content)])
  }
}

/// What a modifier says of the looks of all that is inside.
nonisolated struct Styled<Content: View>: View, PrimitiveView {
  typealias Body = Never
  let content: Content
  let change: TextStyle.Change

  @MainActor func update(_ node: ViewNode) {
    node.style = change
    node.setChildren([ViewNode.Child(0, content)])
  }
}
