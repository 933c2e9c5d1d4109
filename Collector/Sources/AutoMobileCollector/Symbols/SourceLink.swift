import Foundation

/// How a frame's file is opened: in an editor, or at a forge.
///
/// The template is an operator's, what goes into it comes from debug information and so from strangers: whatever it holds, the
/// address stays at the template's host, and its scheme is one that opens files or pages and runs nothing.
struct SourceLink: Codable, Sendable, Equatable {
  var template: String
  /// What file names in debug information begin with, as the machine that built had it; left out of `{path}`.
  var root: String?

  static let schemes = [
    "https", "http", "vscode", "vscode-insiders", "vscodium", "cursor", "zed", "xcode", "idea", "jetbrains", "txmt",
    "subl", "mvim", "x-bbedit",
  ]
  /// Of a template, and of a root, in bytes.
  static let longest = 500
  static let placeholders = ["path", "line", "column", "commit"]

  /// - Throws: ``APIError`` 400, when it would open something else than a source.
  func check() throws {
    func refuse(_ reason: String) -> APIError { APIError.badRequest("invalid_link", reason) }
    guard template.utf8.count <= Self.longest, template.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw refuse("the link has at most \(Self.longest) characters, without blanks: vscode://file/{path}:{line}")
    }
    let scheme = template.prefix { $0 != ":" }.lowercased()
    guard Self.schemes.contains(scheme), template.dropFirst(scheme.count).hasPrefix("://") else {
      throw refuse("the link begins with one of \(Self.schemes.map { $0 + "://" }.joined(separator: ", "))")
    }
    let rest = template.dropFirst(scheme.count + 3)
    // An editor's host says what opens the file: one of its extensions, too.
    let host = rest.prefix { !"/?#".contains($0) }
    guard !host.contains("{") else {
      throw refuse("a link names itself what comes before its first slash: vscode://file/{path}:{line}")
    }
    if scheme.hasPrefix("http") {
      guard !host.isEmpty, !host.contains("@"), !host.contains("\\"), host.count < rest.count
      else {
        throw refuse(
          "a web link names its host itself: https://github.com/OWNER/REPOSITORY/blob/{commit}/{path}#L{line}")
      }
    }
    guard rest.contains("{path}") else { throw refuse("the link says with {path} where the file goes") }
    for match in rest.matches(of: /\{([^{}]*)\}/) where !Self.placeholders.contains(String(match.output.1)) {
      throw refuse("“{\(match.output.1)}” is unknown; there are {path}, {line}, {column} and {commit}")
    }
    if let root, root.utf8.count > Self.longest || root.hasControlCharacters {
      throw APIError.badRequest("invalid_root", "root must have at most \(Self.longest) characters")
    }
  }

  /// The address of a place; nil when the template wants a commit and none is known.
  func url(file: String, line: Int?, column: Int?, commit: String?) -> String? {
    guard commit != nil || !template.contains("{commit}") else { return nil }
    var path = file[...]
    if let root, !root.isEmpty {
      let prefix = root.hasSuffix("/") ? root : root + "/"
      guard path.hasPrefix(prefix) else { return nil }
      path = path.dropFirst(prefix.count)
    }
    // `..` would lead a browser out of the template's own path.
    guard !path.split(separator: "/").contains("..") else { return nil }
    // One slash between what the template ends with and what the path begins with: two would name another machine.
    if let first = path.first, Self.isSlash(first) {
      path = path.drop(while: Self.isSlash)
      if !template.contains("/{path}") { path = "/" + path }
    }
    // `open?url=file://{path}`
    if template.contains("://{path}"), path.first != "/" { path = "/" + path }
    return template.replacing("{path}", with: Self.encoded(String(path))).replacing("{line}", with: String(line ?? 1))
      .replacing("{column}", with: String(column ?? 1)).replacing("{commit}", with: Self.encoded(commit ?? ""))
  }

  /// In any editor's eyes.
  private static func isSlash(_ character: Character) -> Bool { character == "/" || character == "\\" }

  private static let plain = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/")

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }
}
