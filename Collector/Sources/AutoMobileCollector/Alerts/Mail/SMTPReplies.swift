import NIOCore

/// One reply of a server: a code, and its lines without it.
struct SMTPReply: Equatable {
  var code: Int
  var lines: [String]

  /// For people, on one line.
  var text: String {
    String(
      lines.joined(separator: " ").unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7F }.map(Character.init)
        .prefix(300))
  }
}

/// Puts a server's bytes together to replies. What a server may say has an end.
struct SMTPReplies {
  private var buffer = ByteBuffer()
  private var lines: [String] = []
  private static let longestLine = 2048
  private static let mostLines = 100

  /// Bytes that belong to no reply that has been taken yet.
  var isEmpty: Bool { buffer.readableBytes == 0 && lines.isEmpty }

  mutating func add(_ bytes: ByteBuffer) { buffer.writeImmutableBuffer(bytes) }

  /// The next one; nil: more bytes are needed.
  ///
  /// - Throws: ``SMTPError/unreadable(_:)``.
  mutating func next() throws -> SMTPReply? {
    while true {
      let view = buffer.readableBytesView
      guard let end = view.firstIndex(of: UInt8(ascii: "\n")) else {
        guard view.count <= Self.longestLine else { throw SMTPError.unreadable("a line is too long") }
        return nil
      }
      let length = end - view.startIndex
      guard length <= Self.longestLine, lines.count < Self.mostLines else {
        throw SMTPError.unreadable("a reply is too long")
      }
      var line = String(decoding: view[..<end], as: UTF8.self)
      buffer.moveReaderIndex(forwardBy: length + 1)
      if line.hasSuffix("\r") { line.removeLast() }
      guard line.utf8.count >= 3, let code = Int(line.prefix(3)), (200..<600).contains(code) else {
        throw SMTPError.unreadable("it does not speak SMTP")
      }
      let rest = line.dropFirst(3)
      guard rest.isEmpty || rest.hasPrefix(" ") || rest.hasPrefix("-") else {
        throw SMTPError.unreadable("it does not speak SMTP")
      }
      lines.append(String(rest.dropFirst()))
      if rest.hasPrefix("-") { continue }
      defer { lines = [] }
      return SMTPReply(code: code, lines: lines)
    }
  }
}
