import NIOCore

/// The versions of the format in which pictures come (*Replay format*). The viewer shows these, and no others.
public enum FrameFormat {
  public static let versions = 1...2

  /// What a frame's first four bytes say; nil where no frame begins.
  public static func version(of content: ByteBuffer) -> Int? {
    guard let bytes = content.getBytes(at: content.readerIndex, length: 4), bytes.starts(with: Array("AMF".utf8)),
      (0x30...0x39).contains(bytes[3])
    else { return nil }
    return Int(bytes[3]) - 0x30
  }

  static func refusal(of version: Int) -> APIError {
    APIError.badRequest(
      "newer_frame_format",
      "the frames are in version \(version) of the format, and this collector reads \(versions.lowerBound) to "
        + "\(versions.upperBound): update the collector before the app")
  }
}
