import UIKit

extension Layout {
  private static let gap: CGFloat = 8

  /// One below the other.
  ///
  /// - Parameter height: what those have that take all there is; nil: none does.
  func column(_ blocks: [Block], _ alignment: HorizontalAlignment, height: CGFloat? = nil) -> Block {
    guard blocks.count != 1 || blocks[0].stretches else { return blocks[0] }
    let gaps = Self.gap * CGFloat(max(0, blocks.count - 1))
    let needed = blocks.filter { !$0.stretches }.reduce(gaps) { $0 + $1.size.height }
    let width = blocks.map(\.size.width).max() ?? 0
    var column = Block(size: CGSize(width: width, height: 0), boxes: [])
    var top: CGFloat = 0
    for var block in blocks {
      if block.stretches, let height {
        block.size.height = max(0, height - needed)
        for index in block.boxes.indices { block.boxes[index].frame.size.height = block.size.height }
      }
      let left = alignment == .leading ? 0 : (width - block.size.width) / 2
      column.boxes += block.boxes.map { $0.moved(x: left, y: top) }
      column.size.height = top + block.size.height
      top = column.size.height + Self.gap
    }
    return column
  }

  /// One beside the other, in the middle of the height; spacers have what is left of the width.
  func row(_ blocks: [Block], width: CGFloat) -> Block {
    let spacers = blocks.filter(\.isSpacer).count
    let gaps = Self.gap * CGFloat(max(0, blocks.count - 1))
    let free = max(0, width - blocks.reduce(gaps) { $0 + $1.size.width })
    let height = blocks.map(\.size.height).max() ?? 0
    var row = Block(size: CGSize(width: 0, height: height), boxes: [])
    var left: CGFloat = 0
    for block in blocks {
      let top = (height - block.size.height) / 2
      row.boxes += block.boxes.map { $0.moved(x: left, y: top) }
      row.size.width = left + (block.isSpacer ? free / CGFloat(spacers) : block.size.width)
      left = row.size.width + Self.gap
    }
    return row
  }

  func scroll(_ content: Block, _ node: ViewNode, in space: CGSize) -> Block {
    var block = Block(.scroll(content.boxes, height: content.size.height), space, node)
    block.stretches = true
    return block
  }
}

extension Block {
  var isSpacer: Bool { if case .spacer = kind { true } else { false } }
}
