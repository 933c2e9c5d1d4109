import Foundation

/// A place in the tree of views: it stays while views of one type come there, and with it what they keep.
@MainActor final class ViewNode {
  /// What a view has below it: told apart by key and type from one evaluation to the next.
  struct Child {
    let key: AnyHashable
    let view: any View
    /// Kept, but not seen: under another page.
    var isHidden = false

    init(_ key: some Hashable, _ view: any View, isHidden: Bool = false) {
      self.key = AnyHashable(key)
      self.view = view
      self.isHidden = isHidden
    }
  }

  private(set) weak var parent: ViewNode?
  let graph: ViewGraph
  let depth: Int
  private(set) var view: any View
  private(set) var children: [ViewNode] = []
  private var keys: [AnyHashable] = []
  /// Under another page, by the word of its parent.
  private(set) var isHidden = false
  /// On the screen, so far as those know who wait for it.
  private(set) var isShown = false
  private(set) var isGone = false

  /// What people see and touch here, when it is the framework that draws it.
  var element: Element?
  var arrangement = Arrangement.inPlace
  /// The looks of all that is inside.
  var style: TextStyle.Change?
  /// What is on top of all that comes before it: a sheet, an alert.
  var isLayer = false
  /// Taps on what is inside do nothing.
  var isDisabled = false
  /// What is kept from one evaluation to the next: the states of a view of the app's, what a modifier remembers.
  var memory: [AnyObject] = []
  var onAppear: (() -> Void)?
  var onDisappear: (() -> Void)?
  /// A tap on anything inside.
  var tapGestures: [(CGPoint) -> Void] = []
  /// The app is opened by an address.
  var openURL: ((URL) -> Void)?

  init(_ view: any View, under parent: ViewNode?, in graph: ViewGraph) {
    self.view = view
    self.parent = parent
    self.graph = graph
    depth = parent.map { $0.depth + 1 } ?? 0
  }

  /// Evaluates what has come here, or the same again.
  func evaluate(_ view: (any View)? = nil) {
    if let view { self.view = view }
    graph.clean(self)
    graph.needsLayout = true
    func open(_ view: some View) {
      if let primitive = view as? any PrimitiveView {
        primitive.update(self)
      } else if let controlled = view as? any UIViewControllerRepresentable {
        controlled.update(self)
      } else if let shown = view as? any UIViewRepresentable {
        shown.update(self)
      } else {
        link(view)
        setChildren([Child(0, observed { view.body })])
      }
    }
    open(self.view)
  }

  /// Gives it what is below; what was there before stays where key and type are the same, and is not evaluated again where
  /// the view is the same, too.
  func setChildren(_ list: [Child]) {
    let before = Dictionary(zip(keys, children), uniquingKeysWith: { first, _ in first })
    var after: [ViewNode] = []
    for child in list {
      let known = before[child.key].flatMap { type(of: $0.view) == type(of: child.view) ? $0 : nil }
      let node = known ?? ViewNode(child.view, under: self, in: graph)
      node.isHidden = child.isHidden
      after.append(node)
      if known == nil || !isSame(node.view, child.view) { node.evaluate(child.view) }
    }
    keys = list.map(\.key)
    let removed = children.filter { old in !after.contains { $0 === old } }
    children = after
    removed.forEach { $0.remove() }
  }

  /// Its view has to be evaluated again. Any time.
  func invalidate() {
    if !isGone { graph.invalidate(self) }
  }

  /// What this node remembers of the type; made when there is none yet.
  func remembered<Memory: AnyObject>(_ make: @autoclosure () -> Memory) -> Memory {
    if let known = memory.lazy.compactMap({ $0 as? Memory }).first { return known }
    let new = make()
    memory.append(new)
    return new
  }

  /// The nearest node around this one whose view is such a one.
  func enclosing<Wanted>(_ wanted: Wanted.Type) -> (node: ViewNode, view: Wanted)? {
    var node = parent
    while let current = node {
      if let view = current.view as? Wanted { return (current, view) }
      node = current.parent
    }
    return nil
  }

  // MARK: Coming and going

  /// Brings what is told in line with what is seen, the innermost first.
  func settleAppearance(isSeen: Bool, _ actions: inout [() -> Void]) {
    let isSeen = isSeen && !isHidden
    for child in children { child.settleAppearance(isSeen: isSeen, &actions) }
    guard isSeen != isShown else { return }
    isShown = isSeen
    if let action = isSeen ? onAppear : onDisappear { actions.append(action) }
  }

  private func remove() {
    isGone = true
    graph.clean(self)
    children.forEach { $0.remove() }
    if isShown, let onDisappear { graph.perform(onDisappear) }
    isShown = false
  }

  /// It, and all that is seen below.
  func forEachSeen(_ body: (ViewNode) -> Void) {
    guard !isHidden else { return }
    body(self)
    children.forEach { $0.forEachSeen(body) }
  }

  /// Evaluates, and does so again when a model that was looked at changes: on the main actor, where the models of views are.
  private func observed(_ body: () -> any View) -> any View {
    withObservationTracking(body) { [weak self] in MainActor.assumeIsolated { self?.invalidate() } }
  }
}
