import NIOCore

/// The page as it is sent: its modules joined into one file, its styles into another, each under an address that changes
/// with the contents, so that a browser asks for it once.
struct ViewerPage {
  struct Part {
    /// Without what tells contents apart: `viewer.js`.
    var name: String
    var path: String
    var contents: String
  }

  private(set) var html: String
  private(set) var parts: [Part] = []

  init(_ files: [String: String]) throws {
    let page = files["index.html"] ?? ""
    var lines: [String] = []
    var styles: [String] = []
    html = ""
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.contains("rel=\"stylesheet\""), let path = Self.value(of: "href", in: line) {
        if styles.isEmpty { lines.append("  <link rel=\"stylesheet\" href=\"viewer.css\">") }
        styles.append(try Self.contents(path, files))
      } else if line.contains("<script type=\"module\""), let path = Self.value(of: "src", in: line) {
        let joined = try ScriptJoiner(files.filter { $0.key.hasSuffix(".js") }, entry: path)
        let map = add("viewer.js.map", SourceMap.json(joined))
        let script = add("viewer.js", joined.text + "//# sourceMappingURL=\(map)\n")
        lines.append(String(line).replacing("\"\(path)\"", with: "\"\(script)\""))
      } else if let path = Self.value(of: "src", in: line) ?? Self.value(of: "href", in: line) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        lines.append(String(line).replacing("\"\(path)\"", with: "\"\(add(name, try Self.contents(path, files)))\""))
      } else {
        lines.append(String(line))
      }
    }
    let style = add("viewer.css", styles.joined(separator: "\n"))
    html = lines.joined(separator: "\n").replacing("\"viewer.css\"", with: "\"\(style)\"")
  }

  private mutating func add(_ name: String, _ contents: String) -> String {
    let hash = SHA256.hex(Array(contents.utf8)).prefix(16)
    let dot = name.firstIndex(of: ".") ?? name.endIndex
    let path = "\(name[..<dot])-\(hash)\(name[dot...])"
    parts.append(Part(name: name, path: path, contents: contents))
    return path
  }

  /// `viewer.js` for `viewer-0123456789abcdef.js`, whatever the digits are; nil for other paths.
  static func name(of path: some StringProtocol) -> String? {
    guard let dot = path.firstIndex(of: "."), let dash = path[..<dot].lastIndex(of: "-") else { return nil }
    let digits = path[path.index(after: dash)..<dot]
    guard digits.utf8.count == 16, digits.allSatisfy({ $0.isHexDigit && !$0.isUppercase }) else { return nil }
    return path[..<dash] + String(path[dot...])
  }

  private static func contents(_ path: String, _ files: [String: String]) throws -> String {
    guard let text = files[path] else {
      throw ScriptJoiner.Problem(path: "index.html", reason: "names \(path), which is not there")
    }
    return text
  }

  private static func value(of attribute: String, in line: Substring) -> String? {
    guard line.contains("<link ") || line.contains("<script "),
      let start = line.firstRange(of: "\(attribute)=\"")?.upperBound,
      let end = line[start...].firstIndex(of: "\"")
    else { return nil }
    return String(line[start..<end])
  }
}
