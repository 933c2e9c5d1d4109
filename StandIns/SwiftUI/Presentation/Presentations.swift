extension View {
  /// Documentation: *sheet(isPresented:onDismiss:content:)*. iOS 13.0.
  nonisolated public func sheet<Content: View>(
    isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
  ) -> some View {
    Presenting(
      content: self,
      presented: {
        guard isPresented.wrappedValue else { return nil }
        return Layer(content: content()) {
          isPresented.wrappedValue = false
          onDismiss?()
        }
      })
  }

  /// Documentation: *sheet(item:onDismiss:content:)*. iOS 13.0.
  nonisolated public func sheet<Item: Identifiable, Content: View>(
    item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View {
    Presenting(
      content: self,
      presented: {
        item.wrappedValue.map { shown in
          Layer(content: content(shown)) {
            item.wrappedValue = nil
            onDismiss?()
          }
        }
      })
  }

  /// Documentation: *alert(_:isPresented:actions:message:)*. iOS 15.0.
  nonisolated public func alert<A: View, M: View>(
    _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A,
    @ViewBuilder message: () -> M
  ) -> some View {
    let alert = TupleView<(Text, M, A)>([Text(titleKey), message(), actions()])
    return Presenting(
      content: self,
      presented: {
        guard isPresented.wrappedValue else { return nil }
        return Layer(content: alert, closesWithTap: true) { isPresented.wrappedValue = false }
      })
  }
}

/// A view with another above it, from time to time.
nonisolated private struct Presenting<Content: View>: View, PrimitiveView {
  typealias Body = Never
  let content: Content
  let presented: () -> Layer?

  @MainActor func update(_ node: ViewNode) {
    var children = [ViewNode.Child("content", content)]
    if let layer = presented() { children.append(ViewNode.Child("layer", layer)) }
    node.setChildren(children)
  }
}

/// What is above everything else.
nonisolated struct Layer: View, PrimitiveView {
  typealias Body = Never
  let content: any View
  /// Any button in it closes it.
  var closesWithTap = false
  let close: () -> Void

  @MainActor func update(_ node: ViewNode) {
    node.isLayer = true
    if closesWithTap { node.tapGestures = [{ _ in close() }] }
    node.setChildren([ViewNode.Child(0, content)])
  }
}
