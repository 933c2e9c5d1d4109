/// Documentation: *ForEach*. iOS 13.0.
nonisolated public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
  /// Documentation: *data*. iOS 13.0.
  public var data: Data
  /// Documentation: *content*. iOS 13.0.
  public var content: (Data.Element) -> Content
  private let id: (Data.Element) -> ID
}

extension ForEach where Content: View, Data.Element: Identifiable, ID == Data.Element.ID {
  /// Documentation: *init(_:content:)*. iOS 13.0.
  nonisolated public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
    self.data = data
    self.content = content
    id = { $0.id }
  }
}

extension ForEach where Content: View {
  /// Documentation: *init(_:id:content:)*. iOS 13.0.
  nonisolated public init(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {
    self.data = data
    self.content = content
    self.id = { $0[keyPath: id] }
  }
}

extension ForEach: View, PrimitiveView where Content: View {
  public typealias Body = Never

  @MainActor func update(_ node: ViewNode) {
    node.setChildren(data.map { ViewNode.Child(id($0), content($0)) })
  }
}
