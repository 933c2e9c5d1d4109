/// Makes one script of modules that import each other: over a network, each file would be a question of its own.
///
/// Each module becomes a function that runs once, after those that it imports, and gives what it exports; it keeps its
/// lines, so that a source map finds them. What the viewer is written in is understood, and no more: imports stand first,
/// names are exported where they are declared and never assigned anew, and no module imports itself by a detour.
struct ScriptJoiner {
  struct Problem: Error, Equatable {
    var path: String
    var reason: String
  }

  /// The modules' texts by path.
  private let modules: [String: String]
  private(set) var lines: [Substring] = []
  /// For each line of the result where it comes from: a place in `paths`, and the line there.
  private(set) var origins: [(source: Int, line: Int)?] = []
  /// In the order in which they run.
  private(set) var paths: [String] = []
  private var numbers: [String: Int] = [:]
  private var isOpen: Set<String> = []

  init(_ modules: [String: String], entry: String) throws {
    self.modules = modules
    try add(entry, from: "index.html", depth: 0)
  }

  var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func add(_ path: String, from: String, depth: Int) throws {
    guard numbers[path] == nil else { return }
    guard let text = modules[path] else { throw Problem(path: from, reason: "imports \(path), which is not there") }
    guard isOpen.insert(path).inserted, depth < 200 else {
      throw Problem(path: from, reason: "imports \(path), which imports it")
    }
    let source = text.split(separator: "\n", omittingEmptySubsequences: false)
    var head = ModuleHead(path: path)
    try head.read(source)
    for imported in head.imports { try add(imported.path, from: path, depth: depth + 1) }
    numbers[path] = paths.count
    paths.append(path)
    append(path, head, source)
  }

  private mutating func append(_ path: String, _ head: ModuleHead, _ source: [Substring]) {
    var exported: [Substring] = []
    emit("const $\(paths.count - 1) = (() => { // \(path)", nil)
    for (line, text) in source.enumerated() {
      if line < head.length {
        let bindings = head.imports.filter { $0.line == line }
        emit(bindings.map { "const \($0.names) = $\(numbers[$0.path] ?? 0);" }.joined(separator: " "), line)
      } else if let name = ModuleHead.exportedName(text) {
        exported.append(name)
        emit(String(text.dropFirst("export ".count)), line)
      } else {
        lines.append(text)
        origins.append((paths.count - 1, line))
      }
    }
    emit("return { \(exported.joined(separator: ", ")) }; })();", nil)
  }

  private mutating func emit(_ text: String, _ line: Int?) {
    lines.append(Substring(text))
    origins.append(line.map { (paths.count - 1, $0) })
  }
}

/// A module's first lines: comments, and what it imports.
struct ModuleHead {
  struct Import: Equatable {
    /// Where its statement ends.
    var line: Int
    /// As a declaration has them: a name, or a pattern.
    var names: String
    var path: String
  }

  let path: String
  private(set) var imports: [Import] = []
  /// How many lines it has.
  private(set) var length = 0

  init(path: String) { self.path = path }

  mutating func read(_ source: [Substring]) throws {
    var statement = ""
    for (index, line) in source.enumerated() {
      if statement.isEmpty, !line.utf8.starts(with: "import ".utf8) {
        // Comments are left out with the rest of the head; code ends it.
        guard line.isEmpty || line.utf8.starts(with: "//".utf8) else { break }
        continue
      }
      statement += statement.isEmpty ? line : " " + line
      guard line.utf8.last == UInt8(ascii: ";") else { continue }
      imports.append(try Self.parse(statement, line: index, in: path))
      statement = ""
      length = index + 1
    }
    guard statement.isEmpty else { throw ScriptJoiner.Problem(path: path, reason: "an import does not end") }
    for line in source.dropFirst(length) {
      for form in ["export default", "export {", "export *", "export let", "export var"]
      where line.utf8.starts(with: form.utf8) {
        throw ScriptJoiner.Problem(path: path, reason: "“\(form)” is not understood: export where it is declared")
      }
    }
  }

  /// `import { a, b as c } from "./x.js";` or `import * as x from "./x.js";`
  private static func parse(_ statement: String, line: Int, in path: String) throws -> Import {
    let parts = statement.dropFirst("import ".count).components(around: " from \"")
    guard let parts, parts.after.hasSuffix("\";"), parts.after.hasPrefix(".") else {
      throw ScriptJoiner.Problem(path: path, reason: "“\(statement)” is not understood")
    }
    let target = resolve(String(parts.after.dropLast(2)), from: path)
    if parts.before.hasPrefix("* as ") {
      return Import(line: line, names: String(parts.before.dropFirst("* as ".count)), path: target)
    }
    guard parts.before.hasPrefix("{"), parts.before.hasSuffix("}") else {
      throw ScriptJoiner.Problem(path: path, reason: "“\(statement)” is not understood")
    }
    return Import(line: line, names: String(parts.before).replacing(" as ", with: ": "), path: target)
  }

  private static func resolve(_ reference: String, from path: String) -> String {
    var parts = path.split(separator: "/").dropLast()
    for part in reference.split(separator: "/") where part != "." {
      if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }

  /// What a line exports: `export const x`, `export async function x`, `export class X`.
  static func exportedName(_ line: Substring) -> Substring? {
    guard line.utf8.starts(with: "export ".utf8) else { return nil }
    var words = line.split(separator: " ").dropFirst()
    if words.first == "async" { words = words.dropFirst() }
    guard let kind = words.popFirst(), ["const", "function", "function*", "class"].contains(kind) else { return nil }
    return words.first?.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
  }
}

extension Substring {
  fileprivate func components(around separator: String) -> (before: Substring, after: Substring)? {
    guard let range = self.firstRange(of: separator) else { return nil }
    return (self[..<range.lowerBound], self[range.upperBound...])
  }
}
