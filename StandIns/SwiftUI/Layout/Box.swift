import UIKit

/// Something that is drawn, and where in what it is part of.
struct Box {
  enum Look {
    case text(String, TextStyle)
    case field(prompt: String, text: String, isSecure: Bool)
    case onOff(Bool)
    case picture
    case area(UIColor, radius: CGFloat)
    /// The app's own.
    case view(UIView)
    case bar([Box])
    /// More than there is room for, perhaps.
    case scroll([Box], height: CGFloat)
  }

  let look: Look
  var frame: CGRect
  /// Whose it is: there it stays the same view of UIKit.
  let node: ViewNode

  init(_ look: Look, _ frame: CGRect, _ node: ViewNode) {
    (self.look, self.frame, self.node) = (look, frame, node)
  }

  func moved(x: CGFloat = 0, y: CGFloat = 0) -> Box { Box(look, frame.offsetBy(dx: x, dy: y), node) }
}

/// What stands as one among its neighbours.
struct Block {
  enum Kind {
    case plain
    /// Leads to another page.
    case link
    case spacer
    case section(header: [Block], rows: [Block])
  }

  var size: CGSize
  var boxes: [Box]
  var kind = Kind.plain
  /// Takes all the height that there is.
  var stretches = false
}

/// How something is written.
struct TextStyle {
  var font = UIFont.systemFont(ofSize: 17)
  var colour = Palette.label
  var isInList = false
  /// A tap does nothing.
  var isDisabled = false

  /// What a modifier says of all that is inside.
  struct Change: Equatable {
    var font: Font?
    var colour: Color?
  }

  func changed(_ change: Change) -> TextStyle {
    var style = self
    if let font = change.font { style.font = font.uiFont }
    if let colour = change.colour { style.colour = colour.uiColor }
    return style
  }

  func with(_ colour: UIColor) -> TextStyle {
    var style = self
    style.colour = colour
    return style
  }
}

/// The colours of the system, by day.
enum Palette {
  static let label = UIColor.black
  static let secondary = UIColor(red: 0.54, green: 0.54, blue: 0.56, alpha: 1)
  static let disabled = UIColor(red: 0.77, green: 0.77, blue: 0.79, alpha: 1)
  static let tint = UIColor(red: 0, green: 0.48, blue: 1, alpha: 1)
  static let destructive = UIColor(red: 1, green: 0.23, blue: 0.19, alpha: 1)
  static let grouped = UIColor(red: 0.95, green: 0.95, blue: 0.97, alpha: 1)
  static let bar = UIColor(red: 0.98, green: 0.98, blue: 0.99, alpha: 1)
  static let line = UIColor(red: 0.78, green: 0.78, blue: 0.8, alpha: 1)
  static let dimming = UIColor(white: 0, alpha: 0.3)
}
