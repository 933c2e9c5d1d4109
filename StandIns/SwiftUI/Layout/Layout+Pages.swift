import UIKit

extension Layout {
  /// Below the clock.
  static let safeTop: CGFloat = 47
  private static let barHeight: CGFloat = 44

  /// Everything on the screen.
  static func boxes(of root: ViewNode, in size: CGSize) -> [Box] {
    var boxes: [Box] = []
    var layout = Layout()
    boxes += layout.screen(root, in: size)
    while !layout.layers.isEmpty {
      let layer = layout.layers.removeFirst()
      boxes.append(Box(.area(Palette.dimming, radius: 0), CGRect(origin: .zero, size: size), layer))
      boxes +=
        (layer.view as? Layer)?.closesWithTap == true
        ? layout.alert(layer, in: size) : layout.sheet(layer, in: size)
    }
    return boxes
  }

  private mutating func screen(_ root: ViewNode, in size: CGSize) -> [Box] {
    let blocks = blocks(of: root, in: size, TextStyle())
    if blocks.count == 1, blocks[0].stretches { return blocks[0].boxes }
    let content = column(blocks, .center, height: size.height - Self.safeTop)
    return content.boxes.map { $0.moved(x: (size.width - content.size.width) / 2, y: Self.safeTop) }
  }

  private mutating func sheet(_ layer: ViewNode, in size: CGSize) -> [Box] {
    let top: CGFloat = 60
    let space = CGSize(width: size.width, height: size.height - top)
    let ground = Box(.area(.white, radius: 12), CGRect(origin: CGPoint(x: 0, y: top), size: space), layer)
    let content = column(inside(layer, in: space, TextStyle()), .center, height: space.height)
    return [ground] + content.boxes.map { $0.moved(x: (size.width - content.size.width) / 2, y: top) }
  }

  private mutating func alert(_ layer: ViewNode, in size: CGSize) -> [Box] {
    let space = CGSize(width: 238, height: 400)
    let content = column(inside(layer, in: space, TextStyle()), .center)
    let area = CGRect(
      x: (size.width - 270) / 2, y: (size.height - content.size.height) / 2 - 16, width: 270,
      height: content.size.height + 32)
    let left = area.midX - content.size.width / 2
    return [Box(.area(Palette.grouped, radius: 14), area, layer)]
      + content.boxes.map { $0.moved(x: left, y: area.minY + 16) }
  }

  /// The page on top, under the bar with its title, the way back and its tools.
  mutating func page(_ stack: ViewNode, in space: CGSize, _ style: TextStyle) -> Block {
    (title, toolbar) = (nil, [])
    let top = Self.safeTop + Self.barHeight
    let below = CGSize(width: space.width, height: space.height - top)
    let content = column(inside(stack, in: below, style), .center, height: below.height)
    let left = (space.width - content.size.width) / 2
    var page = Block(size: space, boxes: content.boxes.map { $0.moved(x: left, y: top) })
    page.stretches = true
    page.boxes.append(
      Box(.bar(bar(stack, width: space.width, style)), CGRect(x: 0, y: 0, width: space.width, height: top), stack))
    return page
  }

  private mutating func bar(_ stack: ViewNode, width: CGFloat, _ style: TextStyle) -> [Box] {
    func middle(_ height: CGFloat) -> CGFloat { Self.safeTop + (Self.barHeight - height) / 2 }
    var boxes: [Box] = []
    if stack.children.count > 1 {
      let frame = CGRect(x: 16, y: middle(24), width: 70, height: 24)
      boxes.append(Box(.text("‹ Back", style.with(Palette.tint)), frame, stack))
    }
    if let title {
      var bold = TextStyle()
      bold.font = .boldSystemFont(ofSize: 17)
      let label = UILabel(frame: .zero)
      (label.text, label.font) = (title, bold.font)
      let size = label.sizeThatFits(CGSize(width: width - 180, height: 24))
      let frame = CGRect(x: (width - size.width) / 2, y: middle(24), width: size.width, height: 24)
      boxes.append(Box(.text(title, bold), frame, stack))
    }
    let tools = toolbar
    let space = CGSize(width: 110, height: Self.barHeight)
    let row = row(tools.flatMap { inside($0, in: space, style.with(Palette.tint)) }, width: space.width)
    boxes += row.boxes.map { $0.moved(x: width - 16 - row.size.width, y: middle(row.size.height)) }
    let line = CGRect(x: 0, y: Self.safeTop + Self.barHeight - 0.5, width: width, height: 0.5)
    return boxes + [Box(.area(Palette.line, radius: 0), line, stack)]
  }
}
