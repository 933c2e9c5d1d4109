import AutoMobileJournal
import Foundation

/// What the screen shows, without pixels: nodes in drawing order.
struct HierarchySnapshot: Equatable, Sendable {
  enum Kind: String, Sendable, CaseIterable {
    case view, text, button, input, image, `switch`, slider, list, cell, web, map, video, keyboard, bar
  }

  struct Node: Equatable, Sendable {
    var kind: Kind
    /// In points, in the window's coordinates.
    var frame: CGRect
    /// `0xRRGGBB`.
    var background: UInt32?
    var text: String?
    var isMasked = false
    var fontSize: Double?
    var textColour: UInt32?
    var cornerRadius: Double?
    /// Of a symbol or an image.
    var symbol: String?

    init(_ kind: Kind, _ frame: CGRect) {
      self.kind = kind
      self.frame = frame
    }
  }

  var screen: String
  var size: CGSize
  var nodes: [Node] = []

  static let maximumNodes = 2000
  static let maximumText = 500
  private static let maximumCovers = 200

  init(screen: String, size: CGSize) {
    self.screen = screen
    self.size = size
  }

  /// Takes the words from all that lies where something is masked: what is covered in a picture is not told here either. The
  /// marks of SwiftUI are views behind those that they cover, and not around them.
  ///
  /// - Parameter mask: of the whole screen, however deep: this snapshot may have ended before it came to all of that.
  mutating func coverWords(_ mask: ScreenMask = ScreenMask()) {
    let covers = nodes.lazy.filter(\.isMasked).map(\.frame)
    let known = Array(covers.prefix(Self.maximumCovers + 1)) + mask.areas.prefix(Self.maximumCovers + 1)
    let isAnywhere = mask.isUncertain || known.count > Self.maximumCovers
    guard !known.isEmpty || isAnywhere else { return }
    for index in nodes.indices where nodes[index].text != nil {
      let frame = nodes[index].frame
      guard isAnywhere || known.contains(where: { $0.intersects(frame) }) else { continue }
      nodes[index].text = nil
      nodes[index].isMasked = true
    }
  }
}
