/// The codecs of this system.
package enum PictureCodecs {
  /// For any picture of a screen. Nil where there is none: then nothing but wireframes can be recorded.
  package static var system: (any PictureCodec)? { jpeg.map { FlatPictureCodec(photographs: $0) } }

  /// What full frames are coded with, to compare with.
  package static var jpeg: (any PictureCodec)? {
    #if canImport(ImageIO)
    ImageIOCodec()
    #elseif canImport(CJPEG)
    LibJPEGCodec()
    #else
    nil
    #endif
  }
}
