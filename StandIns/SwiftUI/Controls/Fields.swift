/// Documentation: *Toggle*. iOS 13.0.
nonisolated public struct Toggle<Label: View>: View, PrimitiveView {
  public typealias Body = Never
  private let isOn: Binding<Bool>
  private let label: Label

  /// Documentation: *init(isOn:label:)*. iOS 13.0.
  public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
    self.isOn = isOn
    self.label = label()
  }

  @MainActor func update(_ node: ViewNode) {
    let isOn = isOn
    node.element = Element(.toggle(isOn))
    node.setChildren([ViewNode.Child(0, label)])
  }
}

extension Toggle where Label == Text {
  /// Documentation: *init(_:isOn:)*. iOS 13.0.
  nonisolated public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) {
    self.init(isOn: isOn) { Text(titleKey) }
  }

  /// Documentation: *init(_:isOn:)*. iOS 13.0.
  @_disfavoredOverload nonisolated public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) {
    self.init(isOn: isOn) { Text(title) }
  }
}

/// Documentation: *TextField*. iOS 13.0.
nonisolated public struct TextField<Label: View>: View, PrimitiveView {
  public typealias Body = Never
  private let prompt: String
  private let text: Binding<String>

  @MainActor func update(_ node: ViewNode) { node.element = Element(.field(prompt, text)) }
}

extension TextField where Label == Text {
  /// Documentation: *init(_:text:)*. iOS 13.0.
  nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
    prompt = titleKey.text
    self.text = text
  }
}

/// Documentation: *SecureField*. iOS 13.0.
nonisolated public struct SecureField<Label: View>: View, PrimitiveView {
  public typealias Body = Never
  private let prompt: String
  private let text: Binding<String>

  @MainActor func update(_ node: ViewNode) { node.element = Element(.field(prompt, text), isSecure: true) }
}

extension SecureField where Label == Text {
  /// Documentation: *init(_:text:)*. iOS 13.0.
  nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
    prompt = titleKey.text
    self.text = text
  }
}
