import UIKit

/// A screen that views come on and leave, and what a person does there. Apple's framework does not have this.
///
/// In a window, it is drawn: simpler than a device would. What is under a sheet or an alert can be seen, and not touched.
@MainActor public final class SimulatedScreen {
  /// Somebody looks for what is not there.
  public struct NotThere: Error, CustomStringConvertible {
    public let description: String
  }

  nonisolated static let frame = CGRect(x: 0, y: 0, width: 390, height: 844)

  private let graph = ViewGraph()
  private let view: any View
  private let window: UIWindow?

  /// - Parameter window: what shows the screen. Fingers touch it, too, where somebody taps: whoever observes windows sees
  ///   that before the view does something.
  public init(_ view: some View, in window: UIWindow? = nil) {
    self.view = view
    self.window = window
    guard let window else { return }
    let host = _UIHostingView(frame: window.bounds)
    host.backgroundColor = .white
    window.addSubview(host)
    graph.host = host
  }

  /// The view comes on the screen: whoever waits for that is told, the innermost first. Where it is already, it leaves first.
  public func simulateAppearance() {
    simulateDisappearance()
    graph.show(view)
  }

  /// It leaves the screen, and keeps its state.
  public func simulateDisappearance() { graph.hide() }

  /// What can be read on it.
  public var texts: [String] {
    seen().compactMap { if case .text(let text)? = $0.element?.kind { text } else { nil } }
  }

  /// What the page on top is called.
  public var title: String? {
    seen().compactMap { if case .title(let title)? = $0.element?.kind { title } else { nil } }.last
  }

  /// What is in the field.
  public func text(in prompt: String) throws -> String { try field(prompt).wrappedValue }

  /// Whether the switch is on.
  public func isOn(_ label: String) throws -> Bool {
    let node = try find(label) { if case .toggle? = $0.element?.kind { true } else { false } }
    guard case .toggle(let isOn)? = node.element?.kind else { return false }
    return isOn.wrappedValue
  }

  /// A tap on what says this: a text, a button, a switch. What is around it hears of it, too: gestures, and the button or
  /// link that it stands in.
  ///
  /// - Parameter location: where on the screen; nil: anywhere on it.
  public func simulateTap(_ label: String, at location: CGPoint? = nil) throws {
    let node = try find(label) { _ in true }
    let location = location ?? place(of: node)
    touch(location)
    var action: (@MainActor () -> Void)?
    var current: ViewNode? = node
    while let node = current {
      node.tapGestures.forEach { $0(location) }
      if node.isDisabled {
        action = {}
      } else if action == nil {
        switch node.element?.kind {
        case .button(let perform): action = perform
        case .toggle(let isOn): action = { isOn.wrappedValue.toggle() }
        default: break
        }
      }
      current = node.parent
    }
    action?()
    graph.update()
  }

  /// Types into a field, in place of what is there.
  public func simulateTyping(_ text: String, into prompt: String) throws {
    try field(prompt).wrappedValue = text
    graph.update()
  }

  /// Swipes from the left edge, or taps the way back.
  public func simulateBack() throws {
    touch(CGPoint(x: 28, y: 66))
    guard let stack = touchable().last(where: { $0.view is any NavigationContainer }),
      let container = stack.view as? any NavigationContainer, container.goBack(stack)
    else { throw NotThere(description: "there is no way back from here") }
    graph.update()
  }

  /// An address of the app's own, or a link that leads to it, opens the app.
  public func simulateOpening(_ url: URL) {
    for node in seen() { node.openURL?(url) }
    graph.update()
  }

  /// Swipes a sheet away.
  public func simulateDismissal() {
    let nodes = seen()
    (nodes.last { $0.view is Layer }?.view as? Layer)?.close()
    graph.update()
  }

  /// The view controller on top, when a view shows one.
  public var presentedController: UIViewController? {
    touchable().compactMap { if case .controller(let shown)? = $0.element?.kind { shown } else { nil } }.last
  }

  /// The views of UIKit that are shown among SwiftUI's.
  public var views: [UIView] {
    seen().compactMap { if case .view(let shown)? = $0.element?.kind { shown } else { nil } }
  }

  // MARK: Fingers

  private func touch(_ place: CGPoint) {
    let duration = 0.05
    let now = Double(DispatchTime.now().uptimeNanoseconds) / 1e9
    window?.simulateTap(at: place, time: now - duration, duration: duration)
  }

  private func place(of node: ViewNode) -> CGPoint {
    let frame = Self.frame
    return graph.host?.middle(of: node) ?? CGPoint(x: frame.midX, y: frame.midY)
  }

  // MARK: Looking

  private func seen() -> [ViewNode] {
    graph.update()
    var nodes: [ViewNode] = []
    graph.root?.forEachSeen { nodes.append($0) }
    return nodes
  }

  /// What is in the topmost layer.
  private func touchable() -> [ViewNode] {
    let nodes = seen()
    guard let layer = nodes.last(where: \.isLayer) else { return nodes }
    var inside: [ViewNode] = []
    layer.forEachSeen { inside.append($0) }
    return inside
  }

  private func find(_ label: String, _ isWanted: (ViewNode) -> Bool) throws -> ViewNode {
    let nodes = touchable().filter { isWanted($0) && $0.element != nil }
    let exact = nodes.filter { words(of: $0).joined(separator: " ") == label }
    let inside = nodes.first { words(of: $0).contains(label) }
    guard let node = exact.first(where: { $0.element?.isControl == true }) ?? exact.first ?? inside else {
      throw NotThere(description: "“\(label)” is not on the screen, which says: \(texts)")
    }
    return node
  }

  /// What can be read at and below a node, and the names of images.
  private func words(of node: ViewNode) -> [String] {
    var words: [String] = []
    node.forEachSeen { node in
      switch node.element?.kind {
      case .text(let text), .image(let text): words.append(text)
      default: break
      }
    }
    return words
  }

  private func field(_ prompt: String) throws -> Binding<String> {
    for node in touchable() {
      if case .field(prompt, let text)? = node.element?.kind { return text }
    }
    throw NotThere(description: "there is no field “\(prompt)” on the screen, which says: \(texts)")
  }
}
