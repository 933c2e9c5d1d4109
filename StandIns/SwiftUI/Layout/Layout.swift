import UIKit

/// Finds a place for everything that is seen: rows, columns, lists and pages, simpler than Apple's, and legible.
@MainActor struct Layout {
  /// Of the page that is being laid out.
  var title: String?
  var toolbar: [ViewNode] = []
  /// What is above all this, from the lowest to the topmost.
  var layers: [ViewNode] = []

  /// The room for the sign that a row leads to another page.
  static let chevron: CGFloat = 16

  /// A node and all that is below it, as blocks that whatever is around it arranges.
  mutating func blocks(of node: ViewNode, in space: CGSize, _ outer: TextStyle) -> [Block] {
    guard !node.isHidden else { return [] }
    if node.isLayer {
      layers.append(node)
      return []
    }
    var style = node.style.map(outer.changed) ?? outer
    if node.isDisabled { (style.isDisabled, style.colour) = (true, Palette.disabled) }
    guard let element = node.element else { return arranged(node, in: space, style) }
    switch element.kind {
    case .text(let text): return [words(text, node, width: space.width, style)]
    case .image: return [Block(.picture, CGSize(width: 22, height: 22), node)]
    case .title(let title):
      self.title = title
      return arranged(node, in: space, style)
    case .field(let prompt, let text):
      let look = Box.Look.field(prompt: prompt, text: text.wrappedValue, isSecure: element.isSecure)
      return [Block(look, CGSize(width: space.width, height: 24), node)] + arranged(node, in: space, style)
    case .toggle(let isOn):
      let label = column(arranged(node, in: space, style), .leading)
      let knob = Block(.onOff(isOn.wrappedValue), CGSize(width: 51, height: 31), node)
      return [row([label, .spacer, knob], width: space.width)]
    case .button:
      let isLink = node.view is any LeadsToPage
      let colour = element.isDestructive ? Palette.destructive : Palette.tint
      let isPlain = style.isDisabled || (isLink && style.isInList)
      var space = space
      if isLink, style.isInList { space.width -= Self.chevron }
      var block = column(arranged(node, in: space, isPlain ? style : style.with(colour)), .leading)
      if isLink { block.kind = .link }
      return [block]
    case .controller(let controller):
      var block = Block(.view(controller.view), CGSize(width: space.width, height: 200), node)
      block.stretches = true
      return [block]
    case .view(let view): return [Block(.view(view), CGSize(width: space.width, height: 44), node)]
    }
  }

  private mutating func arranged(_ node: ViewNode, in space: CGSize, _ style: TextStyle) -> [Block] {
    switch node.arrangement {
    case .inPlace: return inPlace(node, in: space, style)
    case .vertical(let alignment): return [column(inside(node, in: space, style), alignment, height: space.height)]
    case .horizontal: return [row(inside(node, in: space, style), width: space.width)]
    case .scroll:
      let content = column(inside(node, in: space, style), .leading)
      return [scroll(content, node, in: space)]
    case .list: return [list(node, in: space, style)]
    case .section:
      let header = node.children.first.map { blocks(of: $0, in: space, style.header) } ?? []
      let rows = node.children.dropFirst().flatMap { blocks(of: $0, in: space, style) }
      guard style.isInList else { return header + rows }
      return [Block(size: .zero, boxes: [], kind: .section(header: header, rows: rows))]
    case .pages: return [page(node, in: space, style)]
    case .spacer: return [.spacer]
    case .toolbar:
      toolbar.append(node)
      return []
    case .behind, .inFront: return []
    }
  }

  mutating func inside(_ node: ViewNode, in space: CGSize, _ style: TextStyle) -> [Block] {
    node.children.flatMap { blocks(of: $0, in: space, style) }
  }

  /// What is behind the content, or in front of it, has the content's size.
  private mutating func inPlace(_ node: ViewNode, in space: CGSize, _ style: TextStyle) -> [Block] {
    let content = inside(node, in: space, style)
    let sides = [(Self.children(of: node, isBehind: true), true), (Self.children(of: node, isBehind: false), false)]
    guard sides.contains(where: { !$0.0.isEmpty }) else { return content }
    var block = content.count == 1 ? content[0] : column(content, .leading)
    for (nodes, isBehind) in sides {
      for node in nodes {
        for var box in inside(node, in: block.size, style).flatMap(\.boxes) {
          box.frame = CGRect(origin: .zero, size: block.size)
          block.boxes.insert(box, at: isBehind ? 0 : block.boxes.endIndex)
        }
      }
    }
    return [block]
  }

  private static func children(of node: ViewNode, isBehind: Bool) -> [ViewNode] {
    node.children.filter { child in
      switch child.arrangement {
      case .behind: isBehind
      case .inFront: !isBehind
      default: false
      }
    }
  }

  private func words(_ text: String, _ node: ViewNode, width: CGFloat, _ style: TextStyle) -> Block {
    let label = UILabel(frame: .zero)
    label.text = text
    label.font = style.font
    let size = label.sizeThatFits(CGSize(width: width, height: .greatestFiniteMagnitude))
    return Block(.text(text, style), CGSize(width: min(size.width, width), height: size.height), node)
  }
}

extension Block {
  static var spacer: Block { Block(size: .zero, boxes: [], kind: .spacer) }

  @MainActor init(_ look: Box.Look, _ size: CGSize, _ node: ViewNode) {
    self.init(size: size, boxes: [Box(look, CGRect(origin: .zero, size: size), node)])
  }
}

extension TextStyle {
  var header: TextStyle {
    var style = self
    style.font = .systemFont(ofSize: 13)
    style.colour = Palette.secondary
    return style
  }
}
