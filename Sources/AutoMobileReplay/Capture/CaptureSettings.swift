/// What is taken of the screen, and how often.
package struct CaptureSettings: Sendable, Equatable {
  /// Whether the screen's pixels are read.
  package enum Mode: Sendable, Equatable {
    case pictures
    /// Nothing but the tree of views: pixels never leave the phone.
    case wireframes
  }

  /// Pictures a second; a rate from afar is put here by whoever fetched it. The default is one each 0.33 s.
  package var framesPerSecond: Double
  /// How many points are one pixel of the picture: 1.25 makes pictures of 80 % of the screen's size in points.
  package var scale: Double
  /// Of the JPEG, 0…1.
  package var quality: Double
  package var mode: Mode
  /// Whether text fields and text views are masked that are not secure; secure ones always are.
  package var masksTextInput: Bool
  package var masksWebViews: Bool
  package var masksCameraPreviews: Bool
  package var masksKeyboard: Bool
  /// Whether images and videos are masked.
  package var masksImages: Bool
  /// Views are masked whose accessibility identifier begins with this; empty for none.
  package var maskedIdentifierPrefix: String
  /// What the app wants covered besides.
  package var masking = ReplayMasking()

  package init(
    framesPerSecond: Double = 3, scale: Double = 1.25, quality: Double = 0.5, mode: Mode = .pictures,
    masksTextInput: Bool = true, masksWebViews: Bool = true, masksCameraPreviews: Bool = true,
    masksKeyboard: Bool = true, masksImages: Bool = false, maskedIdentifierPrefix: String = "mask:"
  ) {
    self.framesPerSecond = framesPerSecond
    self.scale = scale
    self.quality = quality
    self.mode = mode
    self.masksTextInput = masksTextInput
    self.masksWebViews = masksWebViews
    self.masksCameraPreviews = masksCameraPreviews
    self.masksKeyboard = masksKeyboard
    self.masksImages = masksImages
    self.maskedIdentifierPrefix = maskedIdentifierPrefix
  }
}
