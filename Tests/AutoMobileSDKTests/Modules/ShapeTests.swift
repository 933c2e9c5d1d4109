import Foundation
import Testing

/// The shape of `Sources/`: a file holds one idea, and a folder is seen at a glance.
@Suite struct ShapeTests {
  private struct File {
    /// Below `Sources/`.
    let path: String
    let lines: Int

    var folder: String { (path as NSString).deletingLastPathComponent }
  }

  private static let kinds: Set<String> = ["swift", "c", "h", "m"]

  private static func files() throws -> [File] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: SwiftSource.root.path)
    return try paths.filter { kinds.contains(($0 as NSString).pathExtension) }.map { path in
      let content = try Data(contentsOf: SwiftSource.root.appendingPathComponent(path))
      let lines = content.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
        bytes.count { $0 == UInt8(ascii: "\n") }
      }
      return File(path: path, lines: lines)
    }
  }

  @Test func `most files are short, and none is long`() throws {
    let files = try Self.files().sorted { $0.lines < $1.lines }
    try #require(Set(files.map { ($0.path as NSString).pathExtension }) == Self.kinds)
    #expect(files[files.count / 2].lines <= 80, "half of all")
    #expect(files[files.count * 9 / 10].lines <= 180, "nine of ten")
    for file in files where file.lines > 350 { Issue.record("\(file.path) has \(file.lines) lines: it is two") }
  }

  @Test func `a folder has several files, and not too many`() throws {
    for (folder, files) in try Dictionary(grouping: Self.files(), by: \.folder) {
      // A module's own folder may have just what hands the others to the SDK, or what belongs to none of them.
      let isModule = !folder.contains("/")
      // Where the package manager looks for what other modules see.
      let isInclude = (folder as NSString).lastPathComponent == "include"
      #expect(files.count > 1 || isModule || isInclude, "\(folder) has one file: it belongs with others")
      #expect(files.count < 40, "\(folder) has \(files.count) files: it is two")
    }
  }
}
