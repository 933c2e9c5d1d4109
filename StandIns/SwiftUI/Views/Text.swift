/// Documentation: *Text*. iOS 13.0.
public struct Text: View, PrimitiveView {
  public typealias Body = Never
  private let content: String

  /// Documentation: *init(verbatim:)*. iOS 13.0.
  nonisolated public init(verbatim content: String) { self.content = content }

  func install(on screen: SimulatedScreen) { screen.texts.append(content) }
}
