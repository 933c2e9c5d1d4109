import Foundation
import Testing

// One file for every package and parser: a test target has a link to it beside its own `FuzzTarget`.

@Suite struct `Fuzzing corpus` {
  /// Beside the program that fuzzes: the first one above this file that has inputs for the target.
  private static func corpus(of target: FuzzTarget) -> [URL] {
    var place = URL(fileURLWithPath: #filePath).standardizedFileURL
    while place.path != "/" {
      place.deleteLastPathComponent()
      let corpus = place.appendingPathComponent("Fuzz/Corpus/\(target.rawValue)")
      if let files = try? FileManager.default.contentsOfDirectory(at: corpus, includingPropertiesForKeys: nil) {
        return files
      }
    }
    return []
  }

  @Test(arguments: FuzzTarget.allCases)
  func `no input that was ever found breaks a promise of a parser`(target: FuzzTarget) throws {
    let files = Self.corpus(of: target)
    #expect(files.count > 3)
    for file in files {
      let bytes = try Data(contentsOf: file)
      bytes.withUnsafeBytes { target.run($0) }
      // Cut off anywhere, it must be as harmless.
      for length in stride(from: 0, to: min(bytes.count, 600), by: 7) {
        bytes.prefix(length).withUnsafeBytes { target.run($0) }
      }
    }
  }
}
