/// Just the number of a context record, and that it is JSON.
struct ContextNumber {
  var contextId: Int64

  init(_ scanner: inout JSONScanner) throws {
    var number: Int64?
    try scanner.document { scanner in
      try scanner.object { scanner, key in
        if scanner.matches(key, "contextId"), try scanner.peek() == .number {
          number = try scanner.integer()
        } else {
          try scanner.skip()
        }
      }
    }
    guard let number else { throw JSONError(offset: 0, message: "the context has no contextId") }
    contextId = number
  }

  /// Of a context that an event carries itself: its name is its contents'.
  static func embedded(_ json: UnsafeRawBufferPointer) -> Int64 {
    -1 - Int64(SyntheticNames.hash(json, seed: 3) >> 2)
  }
}
