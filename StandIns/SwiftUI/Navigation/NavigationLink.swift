/// A view that shows another page when it is tapped.
protocol LeadsToPage {}

/// Documentation: *NavigationLink*. iOS 13.0.
nonisolated public struct NavigationLink<Label: View, Destination: View>: View, PrimitiveView, LeadsToPage {
  public typealias Body = Never
  private let label: Label
  private let open: @MainActor (ViewNode, any NavigationContainer) -> Void

  @MainActor func update(_ node: ViewNode) {
    node.element = Element(
      .button { [weak node] in
        guard let stack = node?.enclosing((any NavigationContainer).self) else { return }
        open(stack.node, stack.view)
      })
    node.setChildren([ViewNode.Child(0, label)])
  }
}

extension NavigationLink {
  /// Documentation: *init(destination:label:)*. iOS 13.0.
  nonisolated public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {
    self.init(destination: destination(), label: label)
  }

  /// Documentation: *init(destination:label:)*. iOS 13.0.
  nonisolated public init(destination: Destination, @ViewBuilder label: () -> Label) {
    let destination = Unshared(destination)
    self.label = label()
    open = { node, _ in
      node.remembered(NavigationPages()).links.append(destination.value)
      node.invalidate()
    }
  }
}

extension NavigationLink where Destination == Never {
  /// Documentation: *init(value:label:)*. iOS 16.0.
  nonisolated public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) {
    let value = Unshared(value)
    self.label = label()
    open = { node, stack in
      if let value = value.value { stack.push(value, node) }
    }
  }

  /// Documentation: *init(_:value:)*. iOS 16.0.
  nonisolated public init<P: Hashable>(_ titleKey: LocalizedStringKey, value: P?) where Label == Text {
    self.init(value: value) { Text(titleKey) }
  }
}
