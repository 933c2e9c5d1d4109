import QuartzCore
import UIKit

/// Things that show a secret: text of a colour that nothing else has.
@MainActor enum Secret {
  static let text = "SECRET 4711"
  static let colour = UIColor(red: 1, green: 0, blue: 1, alpha: 1)

  static func label(_ frame: CGRect) -> UILabel {
    let label = UILabel(frame: frame)
    label.text = text
    label.textColor = colour
    return label
  }

  static func field(_ frame: CGRect, isSecure: Bool = false) -> UITextField {
    let field = UITextField(frame: frame)
    field.text = text
    field.textColor = colour
    field.isSecureTextEntry = isSecure
    return field
  }

  static func textView(_ frame: CGRect) -> UITextView {
    let view = UITextView(frame: frame)
    view.text = text
    view.textColor = colour
    return view
  }

  static func image(_ frame: CGRect) -> UIImageView {
    let view = UIImageView(frame: frame)
    view.image = .simulate(width: 50, height: 50) { _, _ in 0xFF00FF }
    return view
  }

  /// Whether a pixel has the secret's colour, even where its letters are thin.
  static func isShown(_ pixel: UInt32) -> Bool {
    let (red, green, blue) = (pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255)
    return red > green + 60 && blue > green + 60
  }
}

/// A page of the web, by the name that it has in WebKit, which is not here.
final class WKWebView: UIView {
  override func draw(_ rect: CGRect) { Secret.label(bounds).draw(rect) }
}

/// What a camera sees, by the name that it has in AVFoundation.
final class AVCaptureVideoPreviewLayer: CALayer {}

final class CameraView: UIView {
  override class var layerClass: AnyClass { AVCaptureVideoPreviewLayer.self }
  override func draw(_ rect: CGRect) { Secret.label(bounds).draw(rect) }
}

/// A map, by the name that it has in MapKit, and with its property that says what it shows.
final class MKMapView: UIView, SimulatedValues {
  private var visibleMapRect = CGRect.zero

  func simulateMove(to place: CGRect) { visibleMapRect = place }
  func simulateValue(forKey key: String) -> Any? { key == "visibleMapRect" ? NSValue(cgRect: visibleMapRect) : nil }
}

/// A view of the app's own that shows a secret by drawing it.
class DrawingView: UIView {
  required override init(frame: CGRect) { super.init(frame: frame) }
  required init?(coder: NSCoder) { super.init(coder: coder) }
  override func draw(_ rect: CGRect) { Secret.label(bounds).draw(rect) }
}
