/// Documentation: *GeometryReader*. iOS 13.0.
nonisolated public struct GeometryReader<Content: View>: View, PrimitiveView {
  public typealias Body = Never
  private let content: (GeometryProxy) -> Content

  /// Documentation: *init(content:)*. iOS 13.0.
  public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) { self.content = content }

  @MainActor func update(_ node: ViewNode) { node.setChildren([ViewNode.Child(0, content(GeometryProxy()))]) }
}

/// Documentation: *GeometryProxy*. iOS 13.0.
///
/// Nothing is laid out here: each view is as large as the screen.
public struct GeometryProxy {
  /// Documentation: *size*. iOS 13.0.
  public var size: CGSize { SimulatedScreen.frame.size }

  /// Documentation: *frame(in:)*. iOS 13.0.
  public func frame(in coordinateSpace: CoordinateSpace) -> CGRect { SimulatedScreen.frame }
}

/// Documentation: *CoordinateSpace*. iOS 13.0.
public enum CoordinateSpace {
  case global
  case local
}
