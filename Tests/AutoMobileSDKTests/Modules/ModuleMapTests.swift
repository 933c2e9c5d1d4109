import Foundation
import Testing

/// The map in `CONTRIBUTING.md` against what the sources import.
@Suite struct ModuleMapTests {
  /// The rows of the map, in order: a module, and the modules that it may import.
  private static func rows() throws -> [(String, Set<String>)] {
    let page = try String(
      contentsOf: SwiftSource.root.deletingLastPathComponent().appendingPathComponent("CONTRIBUTING.md"),
      encoding: .utf8)
    return page.split(separator: "\n").compactMap { line -> (String, Set<String>)? in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard cells.count == 5, let name = Self.names(cells[1]).first, cells[1] == "`\(name)`" else { return nil }
      return (name, Set(Self.names(cells[3])))
    }
  }

  private static func map() throws -> [String: Set<String>] {
    try Dictionary(rows(), uniquingKeysWith: { first, _ in first })
  }

  /// The arrows that do not point downwards.
  private static func upwards(_ rows: [(String, Set<String>)]) -> [String] {
    var above: Set<String> = []
    var found: [String] = []
    for (module, imports) in rows {
      above.insert(module)
      found += imports.intersection(above).sorted().map { "\(module) → \($0)" }
    }
    return found
  }

  private static func names(_ text: String) -> [String] {
    text.split(separator: "`").map(String.init).filter { $0.wholeMatch(of: /C?AutoMobile\w*/) != nil }
  }

  /// By module, what its files import of ours.
  private static func imports() throws -> [String: Set<String>] {
    let modules = try FileManager.default.contentsOfDirectory(atPath: root.path)
      .filter { $0.hasPrefix("AutoMobile") && $0 != "AutoMobileErrorBarrier" }
    return try Dictionary(
      uniqueKeysWithValues: modules.map { module in
        (module, Set(try SwiftSource.all(of: module).flatMap { imports(in: $0.code) }))
      })
  }

  private static func imports(in code: String) -> [String] {
    let statement =
      /(?:^|\n)\s*(?:@\w+(?:\(\w+\))? )*(?:(?:public|package|internal|fileprivate|private) )?import (?:\w+ )?(C?AutoMobile\w*)/
    return code.matches(of: statement).map { String($0.1) }
  }

  @Test(arguments: [
    "import AutoMobileHTTP", "@testable import AutoMobileHTTP", "@_exported public import AutoMobileHTTP",
    "package import AutoMobileHTTP", "internal import AutoMobileHTTP", "private import struct AutoMobileHTTP.HTTPBody",
    "import Foundation\n  @_spi(Internals) public import AutoMobileHTTP",
  ])
  func `an import is seen however it is written`(code: String) {
    #expect(Self.imports(in: code) == ["AutoMobileHTTP"])
  }

  @Test func `the recorder's folders have a line each in the order of reading`() throws {
    let root = Self.root.appendingPathComponent("AutoMobileRecorder")
    let page = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let listed = page.matches(of: /(?:^|\n)\| `([\w\/]+)` \| [^|]/).map { String($0.1) }
    let found = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { path in
      var isDirectory: ObjCBool = false
      return FileManager.default.fileExists(atPath: root.path + "/" + path, isDirectory: &isDirectory)
        && isDirectory.boolValue && !path.contains(".docc")
    }
    #expect(listed.sorted() == found.sorted())
  }

  private static var root: URL { SwiftSource.root }

  @Test func `every module imports what the map says, and nothing else`() throws {
    let map = try Self.map()
    let imports = try Self.imports()
    #expect(Set(map.keys) == Set(imports.keys))
    for (module, found) in imports { #expect(map[module] == found, "\(module) imports \(found.sorted())") }
  }

  @Test func `arrows point to what stands further down`() throws {
    let rows = try Self.rows()
    #expect(Self.upwards(rows) == [])
    // The lowest row moved to the top: everything that imports it points upwards then.
    let last = try #require(rows.last)
    let importing = rows.filter { $0.1.contains(last.0) }.map { "\($0.0) → \(last.0)" }
    var moved = Array(rows.dropLast())
    moved.insert(last, at: 0)
    #expect(!importing.isEmpty && Self.upwards(moved) == importing)
  }

  @Test func `no modules import each other`() throws {
    var left = try Self.imports()
    // Again and again, those go that need nothing that is left.
    while let free = left.first(where: { left[$0.key]?.isDisjoint(with: left.keys) == true }) {
      left[free.key] = nil
    }
    #expect(left.isEmpty, "\(left.keys.sorted()) import each other")
  }

  @Test func `what records beside the app knows the recorder, and none of its kind`() throws {
    let imports = try Self.imports()
    let rooms = Set(SwiftSource.sdkModules).subtracting(["AutoMobileRecorder", "AutoMobileSDK"])
    for room in rooms { #expect(imports[room]?.isDisjoint(with: rooms.union(["AutoMobileSDK"])) == true, "\(room)") }
    #expect(imports["AutoMobileSDK"] == rooms.union(["AutoMobileRecorder"]))
    #expect(imports.filter { $0.value.contains("AutoMobileSDK") }.isEmpty)
  }
}
