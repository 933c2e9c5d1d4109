/// What an index holds of a breadcrumb, beside its bytes and its words.
struct BreadcrumbFields {
  /// Milliseconds since 1970.
  var timestamp: Int64

  /// - Throws: ``JSONError``: it cannot be indexed.
  init(_ scanner: inout JSONScanner) throws {
    var seconds: Double?
    try scanner.document { scanner in
      try scanner.object { scanner, key in
        let value = try scanner.skip()
        if value.kind == .number, scanner.matches(key, "timestamp") {
          seconds = Double(String(decoding: scanner.bytes[value.range], as: UTF8.self))
        }
      }
    }
    guard let seconds, let timestamp = Int64(exactly: (seconds * 1000).rounded()) else {
      throw JSONError(offset: 0, message: "the breadcrumb has no timestamp")
    }
    self.timestamp = timestamp
  }
}
