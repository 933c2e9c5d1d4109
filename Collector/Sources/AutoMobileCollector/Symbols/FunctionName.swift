/// Makes a demangled name one that people read.
enum FunctionName {
  /// `closure #1 () -> () in shop.Cart.total(of: Swift.Int) throws -> Swift.Int` → `closure #1 in Cart.total(of:)`.
  static func short(_ demangled: String) -> String {
    let plain = withoutDiscriminators(demangled)
    var text = plain[...]
    var prefix = ""
    // What the compiler made of a function is that function.
    var steps = 0
    while steps < 16 {
      steps += 1
      if let range = text.range(ofOuter: " of "), wrappers.contains(where: text.hasPrefix) {
        text = text[range.upperBound...]
        continue
      }
      if let range = text.range(ofOuter: " for "), wrappers.contains(where: text.hasPrefix) {
        text = text[range.upperBound...]
        if let end = text.range(ofOuter: " in conformance ") { text = text[..<end.lowerBound] }
        continue
      }
      if let range = text.range(ofOuter: " in "), isNested(text[..<range.lowerBound]) {
        let head = text[..<range.lowerBound]
        prefix += head.prefix { $0 != "(" && $0 != "@" }.trimmed + " in "
        text = text[range.upperBound...]
        continue
      }
      if let wrapper = marks.first(where: text.hasPrefix) {
        text = text.dropFirst(wrapper.count)
        continue
      }
      break
    }
    let name = signature(text)
    // Of what has no such form all is shown.
    return name.isEmpty ? demangled : prefix + name
  }

  /// `(attempt in _3D4F…)` is `attempt`: what a private function is told apart by says nothing to people. What an `async`
  /// function was cut into is that function.
  private static func withoutDiscriminators(_ name: String) -> String {
    var rest = name[...]
    if rest.first == "(", let end = rest.firstRange(of: " partial function for ")?.upperBound,
      rest[..<end].prefix(8).contains(where: \.isNumber)
    {
      rest = rest[end...]
    }
    var result = ""
    while let mark = rest.firstRange(of: " in _") {
      let head = rest[..<mark.lowerBound]
      let tail = rest[mark.upperBound...]
      let digits = tail.prefix { $0.isHexDigit }
      guard let open = head.lastIndex(of: "("), digits.count >= 8, tail.dropFirst(digits.count).first == ")" else {
        result += rest[..<mark.upperBound]
        rest = tail
        continue
      }
      result += head[..<open] + head[head.index(after: open)...]
      rest = tail.dropFirst(digits.count + 1)
    }
    return result + rest
  }

  private static let wrappers = [
    "generic specialization", "function signature specialization", "partial apply", "protocol witness", "reabstraction",
    "merged generic", "dispatch thunk", "vtable thunk", "thunk", "curry thunk", "inlined generic function",
  ]
  private static let marks = ["merged ", "@objc ", "static ", "override ", "async "]

  private static func isNested(_ head: Substring) -> Bool {
    head.hasPrefix("closure #") || head.hasPrefix("implicit closure #") || head.hasPrefix("default argument ")
      || head.hasPrefix("defer #") || head.contains(" #")
  }

  /// Drops types: only names and argument labels are left.
  private static func signature(_ text: Substring) -> String {
    var result = ""
    var depth = 0
    var angle = 0
    var label = ""
    var isLabelled = false
    var previous: Character = " "
    var sawParentheses = false
    scan: for character in text {
      switch character {
      case "<" where !result.hasSuffix("operator") && depth == 0:
        angle += 1
      case ">" where angle > 0 && previous != "-": angle -= 1
      case "(" where angle == 0:
        if depth == 0 {
          result.append("(")
          sawParentheses = true
          label = ""
          isLabelled = false
        }
        depth += 1
      case ")" where angle == 0:
        depth -= 1
        if depth == 0 {
          if isLabelled { result += label + ":" } else if !label.trimmed.isEmpty { result += "_:" }
          result.append(")")
        }
        if depth < 0 { break scan }
      case "," where depth == 1 && angle == 0:
        result += isLabelled ? label + ":" : "_:"
        label = ""
        isLabelled = false
      case ":" where depth == 1 && angle == 0:
        if !isLabelled { label = String(label.trimmed) }
        isLabelled = true
      case " " where depth == 0 && angle == 0 && sawParentheses: break scan
      default:
        guard angle == 0 else { break }
        if depth == 0 {
          result.append(character)
        } else if !isLabelled {
          label.append(character)
        }
      }
      previous = character
    }
    // `getter : Int` and ` -> Int` say what it returns.
    if let range = result.firstRange(of: " : ") { result = String(result[..<range.lowerBound]) }
    if let range = result.firstRange(of: " -> ") { result = String(result[..<range.lowerBound]) }
    return withoutModule(result)
  }

  /// `shop.Cart.total()` → `Cart.total()`; `shop.main()` stays as it is, for `main` alone says little.
  private static func withoutModule(_ name: String) -> String {
    let head = name.prefix { $0 != "(" }
    if head.hasPrefix("Swift.") { return String(name.dropFirst(6)) }
    if head.contains("::") { return name }
    let parts = head.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts.allSatisfy({ !$0.isEmpty }), let first = parts.first else { return name }
    return String(name.dropFirst(first.count + 1))
  }
}

extension Substring {
  /// Where `text` stands outside of all parentheses and angle brackets.
  fileprivate func range(ofOuter text: String) -> Range<Index>? {
    var depth = 0
    var index = startIndex
    while index < endIndex {
      if depth == 0, self[index...].hasPrefix(text) { return index..<self.index(index, offsetBy: text.count) }
      switch self[index] {
      case "(", "<", "[": depth += 1
      case ")", "]": depth -= 1
      case ">" where index > startIndex && self[self.index(before: index)] != "-": depth -= 1
      default: break
      }
      index = self.index(after: index)
    }
    return nil
  }
}

extension StringProtocol {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
