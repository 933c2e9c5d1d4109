import UIKit

extension Layout {
  private static let margin: CGFloat = 16
  private static let padding: CGFloat = 16
  private static let rowHeight: CGFloat = 44

  /// Rows on white ground, section by section.
  mutating func list(_ node: ViewNode, in space: CGSize, _ style: TextStyle) -> Block {
    var style = style
    style.isInList = true
    let inner = CGSize(width: space.width - 2 * (Self.margin + Self.padding), height: Self.rowHeight)
    var content = Block(size: CGSize(width: space.width, height: Self.margin), boxes: [])
    var loose: [Block] = []
    for block in inside(node, in: inner, style) {
      guard case .section(let header, let rows) = block.kind else {
        loose.append(block)
        continue
      }
      add(group: loose, header: [], to: &content, node)
      loose = []
      add(group: rows, header: header, to: &content, node)
    }
    add(group: loose, header: [], to: &content, node)
    let ground = Box(.area(Palette.grouped, radius: 0), CGRect(origin: .zero, size: space), node)
    var block = scroll(content, node, in: space)
    block.boxes.insert(ground, at: 0)
    return block
  }

  private func add(group rows: [Block], header: [Block], to list: inout Block, _ node: ViewNode) {
    let width = list.size.width - 2 * Self.margin
    var top = list.size.height
    for block in header {
      list.boxes += block.boxes.map { $0.moved(x: Self.margin + Self.padding, y: top) }
      top += block.size.height + 6
    }
    let start = top
    var parts: [Box] = []
    for (index, row) in rows.enumerated() {
      if index > 0 {
        let line = CGRect(x: Self.margin + Self.padding, y: top, width: width - Self.padding, height: 0.5)
        parts.append(Box(.area(Palette.line, radius: 0), line, node))
      }
      let height = max(Self.rowHeight, row.size.height + 22)
      let left = Self.margin + Self.padding
      parts += row.boxes.map { $0.moved(x: left, y: top + (height - row.size.height) / 2) }
      if case .link = row.kind, let owner = row.boxes.first?.node {
        let place = CGRect(x: list.size.width - Self.margin - 18, y: top + (height - 24) / 2, width: 10, height: 24)
        parts.append(Box(.text("›", TextStyle().with(Palette.disabled)), place, owner))
      }
      top += height
    }
    if !rows.isEmpty {
      let ground = CGRect(x: Self.margin, y: start, width: width, height: top - start)
      list.boxes.append(Box(.area(.white, radius: 10), ground, node))
      top += 20
    }
    list.boxes += parts
    list.size.height = top
  }
}
