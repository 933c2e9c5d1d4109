import UIKit

/// A tree of views, and what is still to be done for it: evaluations, and then what waits for these.
@MainActor final class ViewGraph {
  private(set) var root: ViewNode?
  /// In a window; nil when there is none.
  var host: _UIHostingView?
  /// Something may be another than what is drawn.
  var needsLayout = false
  private var stale: [ViewNode] = []
  private var actions: [() -> Void] = []
  private var isUpdating = false
  private var isScheduled = false
  private var isOnScreen = false

  func show(_ view: any View) {
    let node = root ?? ViewNode(view, under: nil, in: self)
    if root == nil {
      root = node
      node.evaluate()
    }
    isOnScreen = true
    needsLayout = true
    update()
  }

  func hide() {
    isOnScreen = false
    needsLayout = true
    update()
  }

  /// Before anybody is told that something has appeared, it is there.
  private func layOut() {
    guard needsLayout, let host, let root else { return }
    needsLayout = false
    host.show(isOnScreen ? Layout.boxes(of: root, in: host.bounds.size) : [])
  }

  func invalidate(_ node: ViewNode) {
    if !stale.contains(where: { $0 === node }) { stale.append(node) }
    guard !isUpdating, !isScheduled else { return }
    // As on a device, changes that are made in one go are seen together.
    isScheduled = true
    Task { @MainActor [weak self] in self?.update() }
  }

  func clean(_ node: ViewNode) { stale.removeAll { $0 === node } }

  /// Does it once the tree has come to rest.
  func perform(_ action: @escaping () -> Void) { actions.append(action) }

  /// Evaluates what has changed, and does what waits for it, until nothing is left.
  func update() {
    guard !isUpdating else { return }
    isUpdating = true
    defer { isUpdating = false }
    isScheduled = false
    for _ in 0..<1000 {
      while let next = stale.min(by: { $0.depth < $1.depth }) { next.evaluate() }
      root?.settleAppearance(isSeen: isOnScreen, &actions)
      layOut()
      if actions.isEmpty && stale.isEmpty { return }
      let due = actions
      actions = []
      due.forEach { $0() }
    }
    fatalError("the views change themselves without end")
  }
}
