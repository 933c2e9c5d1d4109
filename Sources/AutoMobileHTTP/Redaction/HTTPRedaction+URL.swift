extension HTTPRedaction {
  /// A URL without the secrets in its user info, parameters and fragment. What is no URL may be given, too.
  public func redactedURL(_ url: String) -> String {
    guard !isNone else { return url }
    let text = Array(url.utf8)
    let fragmentStart = text.firstIndex(of: UInt8(ascii: "#")) ?? text.count
    let queryStart = text[..<fragmentStart].firstIndex(of: UInt8(ascii: "?")) ?? fragmentStart
    var result = location(text[..<queryStart])
    if queryStart < fragmentStart {
      result.append(UInt8(ascii: "?"))
      result += redactedPairs(text[(queryStart + 1)..<fragmentStart])
    }
    if fragmentStart < text.count {
      result.append(UInt8(ascii: "#"))
      result += redactedPairs(text[(fragmentStart + 1)...])
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// What stands before the query.
  private func location(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var path = text
    if let colon = text.firstIndex(of: UInt8(ascii: ":")), text[colon...].starts(with: "://".utf8),
      text[..<colon].allSatisfy(Self.isScheme)
    {
      let start = colon + 3
      let end = text[start...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") } ?? text.endIndex
      let at = text[start..<end].lastIndex(of: UInt8(ascii: "@"))
      let host = text[(at ?? start)..<end]
      result += text[..<start]
      if at != nil { result += Self.mark.utf8 }
      result += secrets.isFound(in: host) ? ArraySlice(Self.mark.utf8) : host
      path = text[end...]
    }
    // Parameters of the path's parts (`;jsessionid=…`), or a whole URL that stands in it.
    guard secrets.isFound(in: path) else { return result + path }
    if path.first == UInt8(ascii: "/") { result.append(UInt8(ascii: "/")) }
    return result + Self.mark.utf8
  }

  private static func isScheme(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// `name=value` pairs between ampersands, as in queries and forms.
  func redactedPairs(_ text: some Collection<UInt8>) -> [UInt8] {
    let pairs = text.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    return Array(pairs.map(redactedPair).joined(separator: [UInt8(ascii: "&")]))
  }

  private func redactedPair(_ pair: some Collection<UInt8>) -> [UInt8] {
    guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else {
      return secrets.isFound(in: pair) ? Array(Self.mark.utf8) : Array(pair)
    }
    let name = pair[..<equals]
    let value = pair[pair.index(after: equals)...]
    guard let decoded = TextDecoding.name(name), !secrets.isFound(in: decoded) else { return Array(Self.mark.utf8) }
    guard names.match(decoded) || secrets.isFound(in: value) else { return Array(pair) }
    return name + [UInt8(ascii: "=")] + Self.mark.utf8
  }

  var secrets: SecretText { SecretText(names: names) }
}
