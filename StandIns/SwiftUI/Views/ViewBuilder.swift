/// Documentation: *ViewBuilder*. iOS 13.0.
@resultBuilder public struct ViewBuilder {
  /// Documentation: *buildExpression(_:)*. iOS 13.0.
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }

  /// Documentation: *buildBlock()*. iOS 13.0.
  public static func buildBlock() -> EmptyView { EmptyView() }

  /// Documentation: *buildBlock(_:)*. iOS 13.0.
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

  /// Documentation: *buildBlock(_:)*. iOS 13.0.
  public static func buildBlock<each Content>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> where repeat each Content: View {
    var children: [any View] = []
    for child in repeat each content { children.append(child) }
    return TupleView(children)
  }

  /// Documentation: *buildIf(_:)*. iOS 13.0.
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

  /// Documentation: *buildEither(first:)*. iOS 13.0.
  public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<First, Second> {
    _ConditionalContent(key: 1, content: first)
  }

  /// Documentation: *buildEither(second:)*. iOS 13.0.
  public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<First, Second> {
    _ConditionalContent(key: 2, content: second)
  }

  /// Documentation: *buildLimitedAvailability(_:)*. iOS 14.0.
  public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView { AnyView(content) }
}

/// Documentation: *AnyView*. iOS 13.0.
nonisolated public struct AnyView: View, PrimitiveView {
  public typealias Body = Never
  private let content: any View

  /// Documentation: *init(_:)*. iOS 13.0.
  public init<V: View>(_ view: V) { content = view }

  @MainActor func update(_ node: ViewNode) { node.setChildren([ViewNode.Child(0, content)]) }
}

/// Documentation: *TupleView*. iOS 13.0.
nonisolated public struct TupleView<T>: View, PrimitiveView {
  public typealias Body = Never
  private let children: [any View]

  init(_ children: [any View]) { self.children = children }

  @MainActor func update(_ node: ViewNode) {
    node.setChildren(children.enumerated().map { ViewNode.Child($0, $1) })
  }
}

/// What `if` and `switch` make in a view builder.
nonisolated public struct _ConditionalContent<TrueContent, FalseContent>: View, PrimitiveView {
  public typealias Body = Never
  /// Which branch it is: the same view in another is another.
  let key: Int
  let content: any View

  @MainActor func update(_ node: ViewNode) { node.setChildren([ViewNode.Child(key, content)]) }
}

extension Optional: PrimitiveView where Wrapped: View {
  @MainActor func update(_ node: ViewNode) {
    if case .some(let content) = self { node.setChildren([ViewNode.Child(0, content)]) } else { node.setChildren([]) }
  }
}

extension Optional: View where Wrapped: View {
  public typealias Body = Never
}

/// Documentation: *EmptyView*. iOS 13.0.
nonisolated public struct EmptyView: View, PrimitiveView {
  public typealias Body = Never

  /// Documentation: *init()*. iOS 13.0.
  public init() {}

  @MainActor func update(_ node: ViewNode) {}
}
