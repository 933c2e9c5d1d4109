import Foundation

/// A source file of the SDK's, for tests that look at how it is written.
struct SwiftSource {
  /// Below `Sources/`.
  let path: String
  /// The text, with comments and the insides of string literals blanked out. Lines stay where they were.
  let code: String

  var name: String { (path as NSString).lastPathComponent }

  /// What `import AutoMobileSDK` brings.
  static let sdkModules = [
    "AutoMobileRecorder", "AutoMobileCrashReporting", "AutoMobileRequests", "AutoMobileInterface", "AutoMobileSystem",
    "AutoMobileInspection", "AutoMobileSDK",
  ]

  /// Where the modules are.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Sources").standardizedFileURL

  /// All of a module's.
  static func all(of module: String) throws -> [SwiftSource] {
    let directory = root.appendingPathComponent(module)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: directory.path).filter { $0.hasSuffix(".swift") }
    return try paths.sorted().map { path in
      let text = try String(contentsOf: directory.appendingPathComponent(path), encoding: .utf8)
      return SwiftSource(path: module + "/" + path, code: blanked(text))
    }
  }

  /// Declarations that begin with `public`, each from there to its body, its value, or its line's end.
  var publicDeclarations: [String] {
    var declarations: [String] = []
    var rest = code[...]
    while let start = rest.range(of: #"\bpublic\b"#, options: .regularExpression) {
      var depth = 0
      var end = start.upperBound
      scan: while end < code.endIndex {
        switch code[end] {
        case "(", "[": depth += 1
        case ")", "]": depth -= 1
        case "{", "=": if depth == 0, !isArrow(end) { break scan }
        case "\n": if depth == 0, !continues(end) { break scan }
        default: break
        }
        end = code.index(after: end)
      }
      declarations.append(
        code[start.lowerBound..<end].split(whereSeparator: \.isWhitespace).joined(separator: " "))
      rest = code[end...]
    }
    return declarations
  }

  /// `=` of `==`; there is no other in a declaration's head.
  private func isArrow(_ index: String.Index) -> Bool {
    code[index] == "=" && code[code.index(after: index)...].first == "="
  }

  /// The next line goes on with the return type.
  private func continues(_ index: String.Index) -> Bool {
    code[index...].drop(while: \.isWhitespace).hasPrefix("->")
  }

  private static let tripleQuote = String(repeating: "\"", count: 3)

  private static func blanked(_ text: String) -> String {
    var result = ""
    var characters = Array(text)[...]
    func take(_ count: Int, blank: Bool) {
      for character in characters.prefix(count) {
        result.append(blank && character != "\n" ? " " : character)
      }
      characters = characters.dropFirst(count)
    }
    while let character = characters.first {
      if characters.starts(with: "//") {
        take(characters.prefix { $0 != "\n" }.count, blank: true)
      } else if characters.starts(with: tripleQuote) {
        take(3, blank: false)
        while !characters.isEmpty, !characters.starts(with: tripleQuote) { take(1, blank: true) }
        take(3, blank: false)
      } else if character == "\"" {
        take(1, blank: false)
        while let next = characters.first, next != "\"", next != "\n" { take(next == "\\" ? 2 : 1, blank: true) }
        take(1, blank: false)
      } else {
        take(1, blank: false)
      }
    }
    return result
  }
}
