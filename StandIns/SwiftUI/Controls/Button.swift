/// Documentation: *Button*. iOS 13.0.
nonisolated public struct Button<Label: View>: View, PrimitiveView {
  public typealias Body = Never
  private let action: @MainActor () -> Void
  private let label: Label
  private let role: ButtonRole?

  /// Documentation: *init(action:label:)*. iOS 13.0.
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
    self.init(role: nil, action: action, label: label)
  }

  /// Documentation: *init(role:action:label:)*. iOS 15.0.
  public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
    self.action = action
    self.label = label()
    self.role = role
  }

  @MainActor func update(_ node: ViewNode) {
    node.element = Element(.button(action), isDestructive: role == .destructive)
    node.setChildren([ViewNode.Child(0, label)])
  }
}

extension Button where Label == Text {
  /// Documentation: *init(_:action:)*. iOS 13.0.
  nonisolated public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
    self.init(action: action) { Text(titleKey) }
  }

  /// Documentation: *init(_:action:)*. iOS 13.0.
  @_disfavoredOverload
  nonisolated public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
    self.init(action: action) { Text(title) }
  }

  /// Documentation: *init(_:role:action:)*. iOS 15.0.
  nonisolated public init(
    _ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void
  ) {
    self.init(role: role, action: action) { Text(titleKey) }
  }
}

/// Documentation: *ButtonRole*. iOS 15.0.
public struct ButtonRole: Equatable, Sendable {
  /// Documentation: *destructive*. iOS 15.0.
  public static let destructive = ButtonRole(name: "destructive")
  /// Documentation: *cancel*. iOS 15.0.
  public static let cancel = ButtonRole(name: "cancel")
  private let name: String
}

/// Documentation: *Menu*. iOS 14.0.
nonisolated public struct Menu<Label: View, Content: View>: View, PrimitiveView {
  public typealias Body = Never
  private let content: Content
  private let label: Label

  /// Documentation: *init(content:label:)*. iOS 14.0.
  public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
    self.content = content()
    self.label = label()
  }

  /// Its entries can be reached at once: opening it changes nothing else.
  @MainActor func update(_ node: ViewNode) {
    node.setChildren([ViewNode.Child("label", label), ViewNode.Child("content", content)])
  }
}
