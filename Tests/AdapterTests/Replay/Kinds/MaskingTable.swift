import Foundation
import Testing

/// The table of *Masking*, read from the page itself.
struct MaskingTable {
  struct Row: Sendable, CustomTestStringConvertible {
    var kind: String
    var covered: String
    /// What stands under "kind" as code.
    var names: [String]

    var testDescription: String { kind }

    /// Whether anybody can see it, under each choice; nil: the table says that it depends on something else.
    var isCovered: (byDefault: Bool, texts: Bool, images: Bool, unknown: Bool)? {
      if covered.hasPrefix("●") { return (true, true, true, true) }
      let letters = covered.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      guard letters.allSatisfy(["T", "I", "U"].contains) else { return nil }
      return (false, letters.contains("T"), letters.contains("I"), letters.contains("U"))
    }
  }

  let rows: [Row]

  static let page = (try? MaskingTable())?.rows ?? []

  init() throws {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<5 { root.deleteLastPathComponent() }
    let page = try String(contentsOf: root.appendingPathComponent("Documentation/Masking.md"), encoding: .utf8)
    let section = page.components(separatedBy: "\n## ").first { $0.hasPrefix("Every kind of view") } ?? ""
    rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let code = cells[0].split(separator: "`", omittingEmptySubsequences: false)
      return Row(
        kind: cells[0], covered: cells.count > 1 ? cells[1] : "",
        names: code.indices.filter { $0 % 2 == 1 }.map { String(code[$0]) })
    }
  }
}
