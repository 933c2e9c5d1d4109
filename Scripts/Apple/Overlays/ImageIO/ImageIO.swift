// Image I/O as far as the codec of the replay calls it.
@_exported import CoreGraphics

/// Documentation: *CGImageDestination*. iOS 4.0.
public final class CGImageDestination {}
/// Documentation: *CGImageSource*. iOS 4.0.
public final class CGImageSource {}

/// Documentation: *CGImageDestinationCreateWithData(_:_:_:_:)*. iOS 4.0. Its first argument is a CFMutableData, which is NSMutableData.
public func CGImageDestinationCreateWithData(
  _ data: NSMutableData, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? { nil }
/// Documentation: *CGImageDestinationAddImage(_:_:_:)*. iOS 4.0.
public func CGImageDestinationAddImage(_ idst: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?) {}
/// Documentation: *CGImageDestinationFinalize(_:)*. iOS 4.0.
public func CGImageDestinationFinalize(_ idst: CGImageDestination) -> Bool { false }
/// Documentation: *CGImageSourceCreateWithData(_:_:)*. iOS 4.0.
public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? { nil }
/// Documentation: *CGImageSourceCreateImageAtIndex(_:_:_:)*. iOS 4.0.
public func CGImageSourceCreateImageAtIndex(_ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?) -> CGImage? { nil }
/// Documentation: *kCGImageDestinationLossyCompressionQuality*. iOS 4.0.
nonisolated(unsafe) public let kCGImageDestinationLossyCompressionQuality: CFString = ""
