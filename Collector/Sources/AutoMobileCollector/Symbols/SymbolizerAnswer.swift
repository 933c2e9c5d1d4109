/// What `llvm-symbolizer --output-style=JSON` says of one address.
enum SymbolizerAnswer {
  /// Inlined functions, innermost first, are kept up to here.
  private static let most = 64

  /// The places, innermost first; none when the address is not known, or the answer is no answer.
  static func places(_ answer: String) -> [Symbolizer.Place] {
    var answer = answer
    var places: [Symbolizer.Place] = []
    try? answer.withUTF8 { bytes in
      var scanner = JSONScanner(UnsafeRawBufferPointer(bytes))
      try scanner.document { scanner in
        try scanner.object { scanner, key in
          guard scanner.matches(key, "Symbol"), try scanner.peek() == .array else { return _ = try scanner.skip() }
          try scanner.array { scanner, index in
            guard index < most else { return _ = try scanner.skip() }
            places.append(try place(&scanner))
          }
        }
      }
    }
    places.removeAll { $0.symbol == nil && $0.file == nil }
    // All but the last were inlined into the one after them.
    for index in places.indices.dropLast() { places[index].isInlined = true }
    return places
  }

  private static func place(_ scanner: inout JSONScanner) throws -> Symbolizer.Place {
    var place = Symbolizer.Place(isInlined: false)
    try scanner.optionalObject { scanner, key in
      switch scanner.decode(key) {
      // Nothing is known where there is nothing, or two question marks.
      case "FunctionName": place.symbol = try scanner.optionalText().flatMap { $0.isEmpty || $0 == "??" ? nil : $0 }
      case "FileName": place.file = try scanner.optionalText().flatMap { $0.isEmpty || $0 == "??" ? nil : $0 }
      case "Line": place.line = try scanner.optionalInteger().flatMap { $0 > 0 ? Int(clamping: $0) : nil }
      case "Column": place.column = try scanner.optionalInteger().flatMap { $0 > 0 ? Int(clamping: $0) : nil }
      default: try scanner.skip()
      }
    }
    return place
  }
}
