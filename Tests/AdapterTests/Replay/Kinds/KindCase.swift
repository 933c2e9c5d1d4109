import AutoMobileReplay
import SwiftUI
import UIKit

/// How something that the table of *Masking* names comes on a screen.
@MainActor struct KindCase {
  /// How its row begins.
  let row: String
  /// What the row says, of which this is an example; for the row as a whole what it begins with.
  let name: String
  /// Puts it on the screen; nil: what is in it is another kind, by which it goes.
  var show: ((RecordedScreen) -> Void)?
  /// Puts something else into it.
  var showAround: ((RecordedScreen, UIView) -> Void)?
  /// What the app has chosen besides.
  var choice: (inout ReplayMasking) -> Void = { _ in }

  static let place = CGRect(x: 40, y: 300, width: 200, height: 60)
  static let bounds = CGRect(x: 0, y: 0, width: 200, height: 60)

  /// A view, in its place.
  static func view(_ row: String, _ name: String, _ make: @escaping () -> UIView) -> KindCase {
    KindCase(row: row, name: name, show: { $0.window.addSubview(make()) })
  }

  /// A view of a class that has the name.
  static func named(_ row: String, _ name: String, _ type: DrawingView.Type) -> KindCase {
    view(row, name) { type.init(frame: place) }
  }
  static func named(_ row: String, _ type: DrawingView.Type) -> KindCase { named(row, String(describing: type), type) }

  /// A layer of a class that has the name, beside those of the views, in a view of SwiftUI's.
  static func layer(_ row: String, _ name: String, _ type: CALayer.Type) -> KindCase {
    view(row, name) {
      let view = UIView(frame: place)
      let layer = type.init()
      layer.frame = view.bounds
      view.layer.addSublayer(layer)
      return view
    }
  }

  static func layer(_ row: String, _ type: CALayer.Type) -> KindCase { layer(row, String(describing: type), type) }

  static func around(_ row: String, _ name: String, _ show: @escaping (RecordedScreen, UIView) -> Void) -> KindCase {
    KindCase(row: row, name: name, showAround: show)
  }

  /// A view of SwiftUI; what is in its texts and fields has the secret's colour.
  static func swiftUI(_ row: String, _ name: String, _ make: @escaping () -> some View) -> KindCase {
    KindCase(row: row, name: name, show: { show(make(), on: $0) })
  }

  static func show(_ view: some View, on screen: RecordedScreen) {
    SimulatedScreen(view, in: screen.window).simulateAppearance()
    Secret.colour(screen.window)
  }
}

extension Secret {
  /// Whatever says the secret gets its colour.
  static func colour(_ view: UIView) {
    if let label = view as? UILabel, label.text == text { label.textColor = colour }
    if let field = view as? UITextField, field.text == text { field.textColor = colour }
    view.subviews.forEach(colour)
  }
}
