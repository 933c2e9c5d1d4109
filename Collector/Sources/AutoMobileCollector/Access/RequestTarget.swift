/// The target of a request, as it came: a path in normal form (RFC 3986, 6.2.2), or it is refused. What has one spelling
/// cannot mean one thing to who decides and another to who answers, here or in a proxy on the way.
enum RequestTarget {
  /// - Throws: ``APIError`` 400 that says what is not normal.
  static func check(_ target: String) throws {
    var target = target
    try target.withUTF8 { try check(UnsafeRawBufferPointer($0)) }
  }

  private static func check(_ target: UnsafeRawBufferPointer) throws {
    guard target.first == UInt8(ascii: "/") else { throw refusal("the request's target must be a path, /…") }
    guard target.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
      throw refusal("a path is made of printable ASCII characters; others are percent-encoded")
    }
    let end = target.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
    guard end > 1 else { return }
    var start = 1
    while start <= end {
      let slash = target[start..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
      let segment = target[start..<slash]
      guard !segment.isEmpty else { throw refusal("a path has no empty parts: no // and no / at its end") }
      guard !segment.elementsEqual(".".utf8), !segment.elementsEqual("..".utf8) else {
        throw refusal("a path has no parts . and ..")
      }
      try check(segment)
      start = slash + 1
    }
  }

  private static func check(_ segment: Slice<UnsafeRawBufferPointer>) throws {
    var index = segment.startIndex
    while index < segment.endIndex {
      let byte = segment[index]
      if byte == UInt8(ascii: "%") {
        guard index + 2 < segment.endIndex, let high = digit(segment[index + 1]), let low = digit(segment[index + 2])
        else { throw refusal("% in a path is followed by two hexadecimal digits, in capitals") }
        let value = high << 4 | low
        guard value >= 0x20, value != 0x7F else { throw refusal("control characters are not part of a path") }
        guard !isUnreserved(value) else { throw refusal("letters, digits and - . _ ~ are not percent-encoded") }
        index += 3
      } else {
        guard isUnreserved(byte) || allowed.contains(byte) else {
          throw refusal("\"\(Character(Unicode.Scalar(byte)))\" is percent-encoded in a path")
        }
        index += 1
      }
    }
  }

  /// Beside letters and digits: RFC 3986's `pchar`, but for the semicolon, which some take for the end of a name.
  private static let allowed = Set("!$&'()*+,=:@".utf8)

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }

  /// Lower case is another spelling of the same.
  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    default: nil
    }
  }

  private static func refusal(_ why: String) -> APIError { APIError.badRequest("invalid_target", why) }
}
