/// The target of a request, as it came: a path in normal form (RFC 3986, 6.2.2), or it is refused. What has one spelling
/// cannot mean one thing to who decides and another to who answers, here or in a proxy on the way.
enum RequestTarget {
  /// - Throws: ``APIError`` 400 that says what is not normal.
  static func check(_ target: String) throws {
    let path = Array(target.utf8.prefix { $0 != UInt8(ascii: "?") })
    guard path.first == UInt8(ascii: "/") else {
      throw refusal("the request's target must be a path, /…")
    }
    guard target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
      throw refusal("a path is made of printable ASCII characters; others are percent-encoded")
    }
    guard path.count > 1 else { return }
    for segment in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard !segment.isEmpty else { throw refusal("a path has no empty parts: no // and no / at its end") }
      guard segment.elementsEqual(".".utf8) == false, segment.elementsEqual("..".utf8) == false else {
        throw refusal("a path has no parts . and ..")
      }
      try check(segment)
    }
  }

  private static func check(_ segment: ArraySlice<UInt8>) throws {
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
