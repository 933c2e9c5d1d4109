/// What stands in it is arranged in one way.
@MainActor protocol Container: PrimitiveView {
  associatedtype Content: View
  var content: Content { get }
  var arrangement: Arrangement { get }
}

extension Container {
  func update(_ node: ViewNode) {
    node.arrangement = arrangement
    node.setChildren([ViewNode.Child(0, content)])
  }
}

/// Documentation: *VStack*. iOS 13.0.
nonisolated public struct VStack<Content: View>: View, Container {
  public typealias Body = Never
  let content: Content
  let arrangement: Arrangement

  /// Documentation: *init(alignment:spacing:content:)*. iOS 13.0.
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
  ) {
    arrangement = .vertical(alignment)
    self.content = content()
  }
}

/// Documentation: *HStack*. iOS 13.0.
nonisolated public struct HStack<Content: View>: View, Container {
  public typealias Body = Never
  let content: Content
  var arrangement: Arrangement { .horizontal }

  /// Documentation: *init(alignment:spacing:content:)*. iOS 13.0.
  public init(
    alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
  ) {
    self.content = content()
  }
}

/// Documentation: *Group*. iOS 13.0.
nonisolated public struct Group<Content: View>: View, Container {
  public typealias Body = Never
  let content: Content
  var arrangement: Arrangement { .inPlace }

  /// Documentation: *init(content:)*. iOS 13.0.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

/// Documentation: *ScrollView*. iOS 13.0.
nonisolated public struct ScrollView<Content: View>: View, Container {
  public typealias Body = Never
  let content: Content
  var arrangement: Arrangement { .scroll }

  /// Documentation: *init(_:showsIndicators:content:)*. iOS 13.0.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

/// Documentation: *Form*. iOS 13.0.
nonisolated public struct Form<Content: View>: View, Container {
  public typealias Body = Never
  let content: Content
  var arrangement: Arrangement { .list }

  /// Documentation: *init(content:)*. iOS 13.0.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

/// Documentation: *List*. iOS 13.0.
nonisolated public struct List<SelectionValue: Hashable, Content: View>: View, Container {
  public typealias Body = Never
  let content: Content
  var arrangement: Arrangement { .list }
}

extension List where SelectionValue == Never {
  /// Documentation: *init(content:)*. iOS 13.0.
  nonisolated public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

/// Documentation: *HorizontalAlignment*. iOS 13.0.
public struct HorizontalAlignment: Equatable, Sendable {
  /// Documentation: *leading*. iOS 13.0.
  public static let leading = HorizontalAlignment(isLeading: true)
  /// Documentation: *center*. iOS 13.0.
  public static let center = HorizontalAlignment(isLeading: false)
  private let isLeading: Bool
}

/// Documentation: *VerticalAlignment*. iOS 13.0.
public struct VerticalAlignment: Equatable, Sendable {
  /// Documentation: *top*. iOS 13.0.
  public static let top = VerticalAlignment()
  /// Documentation: *center*. iOS 13.0.
  public static let center = VerticalAlignment()
}

/// Documentation: *Alignment*. iOS 13.0.
public struct Alignment: Equatable, Sendable {
  /// Documentation: *leading*. iOS 13.0.
  public static let leading = Alignment()
  /// Documentation: *trailing*. iOS 13.0.
  public static let trailing = Alignment()
  /// Documentation: *center*. iOS 13.0.
  public static let center = Alignment()
}
