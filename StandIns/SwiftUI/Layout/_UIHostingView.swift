import UIKit

/// What SwiftUI draws its views in, by the name that it has on a device. No documentation has it.
///
/// Each thing that is seen is a view of UIKit in it, and stays the same one while its view of SwiftUI stays.
final class _UIHostingView: UIView {
  private struct Key: Hashable {
    let node: ObjectIdentifier
    let kind: ObjectIdentifier
    let number: Int
  }

  private var shown: [Key: UIView] = [:]
  /// Where each node's parts are.
  private var places: [ObjectIdentifier: [UIView]] = [:]

  func show(_ boxes: [Box]) {
    var next: [Key: UIView] = [:]
    places = [:]
    show(boxes, in: self, &next)
    shown = next
  }

  /// The middle of what is drawn of a node and of those below it, in the window; nil when there is nothing.
  ///
  /// What is farther down is brought up first, as somebody does who is about to touch it.
  func middle(of node: ViewNode) -> CGPoint? {
    var views: [UIView] = []
    node.forEachSeen { views += places[ObjectIdentifier($0)] ?? [] }
    guard let first = views.first else { return nil }
    reveal(first)
    func frame(_ view: UIView) -> CGRect {
      CGRect(origin: view.convert(view.bounds.origin, to: nil), size: view.bounds.size)
    }
    let area = views.dropFirst().reduce(frame(first)) { $0.union(frame($1)) }
    return CGPoint(x: area.midX, y: area.midY)
  }

  private func reveal(_ view: UIView) {
    var outer = view.superview
    while let current = outer, !(current is UIScrollView) { outer = current.superview }
    guard let scroll = outer as? UIScrollView else { return }
    let top = view.convert(view.bounds.origin, to: scroll).y
    let hidden = top + view.bounds.height + 20 - scroll.bounds.maxY
    if hidden > 0 { scroll.contentOffset.y += min(hidden, scroll.contentSize.height - scroll.bounds.maxY) }
    if top < scroll.bounds.minY { scroll.contentOffset.y = max(0, top - 20) }
  }

  private func show(_ boxes: [Box], in parent: UIView, _ next: inout [Key: UIView]) {
    let views = boxes.map { box -> UIView in
      let view = view(for: box, &next)
      if view.frame != box.frame { view.frame = box.frame }
      switch box.look {
      case .area: break
      case .bar(let boxes):
        show(boxes, in: view, &next)
        return view
      case .scroll(let boxes, let height):
        let scroll = view as? UIScrollView
        scroll?.contentSize = CGSize(width: box.frame.width, height: height)
        if let content = view.subviews.first {
          content.frame = CGRect(x: 0, y: 0, width: box.frame.width, height: max(height, box.frame.height))
          show(boxes, in: content, &next)
        }
      default: places[ObjectIdentifier(box.node), default: []].append(view)
      }
      return view
    }
    guard !parent.subviews.elementsEqual(views, by: ===) else { return }
    for old in parent.subviews where !views.contains(where: { $0 === old }) { old.removeFromSuperview() }
    views.forEach(parent.addSubview)
  }

  private func view(for box: Box, _ next: inout [Key: UIView]) -> UIView {
    switch box.look {
    case .text(let text, let style):
      let label = kept(box.node, &next) { UILabel(frame: .zero) }
      (label.text, label.font, label.textColor) = (text, style.font, style.colour)
      return label
    case .field(let prompt, let text, let isSecure):
      let field = kept(box.node, &next) { UITextField(frame: .zero) }
      (field.placeholder, field.text, field.isSecureTextEntry) = (prompt, text, isSecure)
      return field
    case .onOff(let isOn):
      let knob = kept(box.node, &next) { UISwitch(frame: .zero) }
      // A tap anywhere in the row is one on the hosting view.
      (knob.isOn, knob.isUserInteractionEnabled) = (isOn, false)
      return knob
    case .picture:
      let view = kept(box.node, &next) { UIImageView(frame: .zero) }
      view.backgroundColor = Palette.line
      view.layer.cornerRadius = 5
      return view
    case .area(let colour, let radius):
      let view = kept(box.node, &next) { UIView(frame: .zero) }
      (view.backgroundColor, view.isUserInteractionEnabled) = (colour, false)
      view.layer.cornerRadius = radius
      return view
    case .bar:
      let bar = kept(box.node, &next) { UINavigationBar(frame: .zero) }
      (bar.backgroundColor, bar.isUserInteractionEnabled) = (Palette.bar, false)
      return bar
    case .scroll:
      let scroll = kept(box.node, &next) { UIScrollView(frame: .zero) }
      if scroll.subviews.isEmpty { scroll.addSubview(_UIHostingView(frame: scroll.bounds)) }
      return scroll
    case .view(let view): return view
    }
  }

  /// The one that was there before, or a new one.
  private func kept<Kind: UIView>(_ node: ViewNode, _ next: inout [Key: UIView], _ new: () -> Kind) -> Kind {
    var number = 0
    func key() -> Key { Key(node: ObjectIdentifier(node), kind: ObjectIdentifier(Kind.self), number: number) }
    while next[key()] != nil { number += 1 }
    let view = shown[key()] as? Kind ?? new()
    next[key()] = view
    return view
  }
}

/// The bar above a page, by the name that it has on a device.
private final class UINavigationBar: UIView {}
