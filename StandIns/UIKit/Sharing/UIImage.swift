import CCairo
import Foundation

/// Documentation: *UIImage*. iOS 2.0.
open class UIImage: NSObject, @unchecked Sendable {
  // Unchecked: it does not change.

  /// What it shows, when it was made with pixels.
  let picture: SimulatedPicture?

  /// Documentation: *init(data:)*. iOS 2.0.
  ///
  /// Knows a picture by how it begins.
  public init?(data: Data) {
    let starts: [[UInt8]] = [[0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], [0x47, 0x49, 0x46, 0x38]]
    guard starts.contains(where: { data.starts(with: $0) }) else { return nil }
    picture = nil
    super.init()
  }

  /// Documentation: *size*. iOS 2.0.
  open var size: CGSize {
    picture.map { CGSize(width: CGFloat($0.width), height: CGFloat($0.height)) } ?? .zero
  }

  init(_ picture: SimulatedPicture) {
    self.picture = picture
    super.init()
  }
}
