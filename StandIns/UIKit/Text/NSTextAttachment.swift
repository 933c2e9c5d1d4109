import CCairo
import Foundation

/// Documentation: *NSTextAttachment*. iOS 7.0.
open class NSTextAttachment: NSObject {
  /// Documentation: *image*. iOS 7.0.
  open var image: UIImage?

  /// Documentation: *init(image:)*. iOS 13.0.
  public init(image: UIImage) { self.image = image }
}

extension NSAttributedString.Key {
  /// Documentation: *attachment*. iOS 7.0.
  public static let attachment = NSAttributedString.Key("NSAttachment")
}

extension NSAttributedString {
  /// Documentation: *init(attachment:)*. iOS 7.0.
  public convenience init(attachment: NSTextAttachment) {
    self.init(string: "\u{FFFC}", attributes: [.attachment: attachment])
  }

  /// Documentation: *containsAttachments(in:)*. iOS 9.0.
  public func containsAttachments(in range: NSRange) -> Bool { !attachments(in: range).isEmpty }

  private func attachments(in range: NSRange) -> [NSTextAttachment] {
    var found: [NSTextAttachment] = []
    enumerateAttribute(.attachment, in: range, options: []) { value, _, _ in
      if let attachment = value as? NSTextAttachment { found.append(attachment) }
    }
    return found
  }

  /// Each as large as the whole, wherever it stands among the letters.
  @MainActor func drawAttachments(in rect: CGRect) {
    attachments(in: NSRange(location: 0, length: length)).forEach { $0.image?.draw(filling: rect) }
  }
}

extension UIImage {
  @MainActor func draw(filling rect: CGRect) {
    guard let picture, let context = UIGraphicsGetCurrentContext() else { return }
    cairo_save(context.cairo)
    context.translateBy(x: rect.minX, y: rect.minY)
    context.scaleBy(x: rect.width / CGFloat(picture.width), y: rect.height / CGFloat(picture.height))
    cairo_set_source_surface(context.cairo, picture.surface, 0, 0)
    cairo_paint(context.cairo)
    cairo_restore(context.cairo)
  }
}
