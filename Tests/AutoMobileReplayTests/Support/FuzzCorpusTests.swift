import Foundation
import Testing

@Suite struct `Fuzzing corpus of replays` {
  private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Fuzz/Corpus").standardizedFileURL

  @Test(arguments: FuzzTarget.allCases)
  func `no input that was ever found breaks a promise of the parsers of replays`(target: FuzzTarget) throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: Self.corpus.appendingPathComponent(target.rawValue), includingPropertiesForKeys: nil)
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
