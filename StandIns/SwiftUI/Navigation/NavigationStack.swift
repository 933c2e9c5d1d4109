/// Shows one page at a time, and knows the way back.
@MainActor protocol NavigationContainer {
  /// - Returns: false when it shows its root.
  func goBack(_ node: ViewNode) -> Bool
  /// Shows the page of a value, when there is one for its type.
  func push(_ value: any Hashable, _ node: ViewNode)
}

/// Documentation: *NavigationStack*. iOS 16.0.
nonisolated public struct NavigationStack<Data, Root: View>: View, PrimitiveView, NavigationContainer {
  public typealias Body = Never
  private let root: Root
  private let values: () -> [AnyHashable]
  private let removeLast: () -> Void
  private let append: (any Hashable) -> Void

  @MainActor func update(_ node: ViewNode) {
    node.arrangement = .pages
    // The root first: it says which pages there are.
    let pages = values().map { Page(value: $0) } + node.remembered(NavigationPages()).links
    let all: [any View] = [root] + pages
    node.setChildren(all.enumerated().map { ViewNode.Child($0, $1, isHidden: $0 < all.count - 1) })
  }

  @MainActor func goBack(_ node: ViewNode) -> Bool {
    let pages = node.remembered(NavigationPages())
    if !pages.links.isEmpty {
      pages.links.removeLast()
      node.invalidate()
    } else if !values().isEmpty {
      removeLast()
      node.invalidate()
    } else {
      return false
    }
    return true
  }

  @MainActor func push(_ value: any Hashable, _ node: ViewNode) {
    append(value)
    node.invalidate()
  }
}

extension NavigationStack {
  /// Documentation: *init(path:root:)*. iOS 16.0.
  nonisolated public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
  where Data: MutableCollection, Data: RandomAccessCollection, Data: RangeReplaceableCollection, Data.Element: Hashable
  {
    self.root = root()
    values = { path.wrappedValue.map { AnyHashable($0) } }
    removeLast = { path.wrappedValue.removeLast() }
    append = { value in
      if let element = value as? Data.Element { path.wrappedValue.append(element) }
    }
  }

  /// Documentation: *init(root:)*. iOS 16.0.
  nonisolated public init(@ViewBuilder root: () -> Root) where Data == NavigationPath {
    self.root = root()
    values = { [] }
    removeLast = {}
    append = { _ in }
  }
}

/// Documentation: *NavigationPath*. iOS 16.0.
public struct NavigationPath {}

/// What a stack of pages keeps.
final class NavigationPages {
  /// By the type of value that they show.
  var destinations: [ObjectIdentifier: (Any) -> any View] = [:]
  /// Pages that links with views of their own have shown, on top of the others.
  var links: [any View] = []
}

/// The page of a value, as the pages below it say.
nonisolated private struct Page: View, PrimitiveView {
  typealias Body = Never
  let value: AnyHashable

  @MainActor func update(_ node: ViewNode) {
    let pages = node.enclosing((any NavigationContainer).self)?.node.remembered(NavigationPages())
    let view = pages?.destinations[ObjectIdentifier(type(of: value.base))]?(value.base)
    node.setChildren([ViewNode.Child(0, view ?? EmptyView())])
  }
}

extension View {
  /// Documentation: *navigationDestination(for:destination:)*. iOS 16.0.
  nonisolated public func navigationDestination<D: Hashable, C: View>(
    for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
  ) -> some View {
    let destination = Unshared(destination)
    return Decorated(content: self) { node in
      guard let stack = node.enclosing((any NavigationContainer).self) else { return }
      let pages = stack.node.remembered(NavigationPages())
      pages.destinations[ObjectIdentifier(D.self)] = { value in
        guard let value = value as? D else { return EmptyView() }
        return destination.value(value)
      }
      for page in stack.node.children where page.view is Page { page.invalidate() }
    }
  }

  /// Documentation: *navigationTitle(_:)*. iOS 14.0.
  nonisolated public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View {
    let title = titleKey.text
    return Decorated(content: self) { $0.element = Element(.title(title)) }
  }

  /// Documentation: *navigationTitle(_:)*. iOS 14.0.
  @_disfavoredOverload nonisolated public func navigationTitle<S: StringProtocol>(_ title: S) -> some View {
    let title = String(title)
    return Decorated(content: self) { $0.element = Element(.title(title)) }
  }

  /// Documentation: *toolbar(content:)*. iOS 14.0.
  nonisolated public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View {
    Decorated(content: self, extra: [ViewNode.Child("toolbar", Placed(content: content(), arrangement: .toolbar))]) {
      _ in
    }
  }

  /// Documentation: *searchable(text:placement:prompt:)*. iOS 15.0.
  nonisolated public func searchable(text: Binding<String>, prompt: LocalizedStringKey) -> some View {
    let prompt = prompt.text
    return Decorated(content: self) { $0.element = Element(.field(prompt, text)) }
  }
}
