#if canImport(AppKit)
import AppKit

extension Image {
  /// Documentation: *init(nsImage:)*. macOS 10.15.
  public init(nsImage: NSImage) { fatalError() }
}
#endif
