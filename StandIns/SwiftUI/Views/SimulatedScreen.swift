/// A screen that views come on and leave, which Apple's framework does not have.
@MainActor public final class SimulatedScreen {
  private let build: (SimulatedScreen) -> Void
  var appearances: [() -> Void] = []
  /// What can be read on it.
  public internal(set) var texts: [String] = []

  public init(_ view: some View) { build = { $0.show(view) } }

  /// The view comes on the screen: its tree is built anew, and whoever waits for that is told, the innermost first.
  public func simulateAppearance() {
    texts = []
    appearances = []
    build(self)
    appearances.forEach { $0() }
  }

  func show(_ view: some View) {
    if let primitive = view as? any PrimitiveView { primitive.install(on: self) } else { show(view.body) }
  }
}
