/// The codec of this system.
package enum PictureCodecs {
  /// Nil where there is none: then nothing but wireframes can be recorded.
  package static var system: (any PictureCodec)? {
    #if canImport(ImageIO)
    ImageIOCodec()
    #elseif canImport(CJPEG)
    LibJPEGCodec()
    #else
    nil
    #endif
  }
}
