import AutoMobileSupport
import Foundation

@testable import AutoMobileRecorder

/// A directory of its own for one test, removed with the last reference.
final class TemporaryDirectory: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("automobile-tests-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    Self.removeAgainAtExit(url)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  private static let all = Locked<[URL]>([])

  /// A journal whose thread has not quite ended makes its directory anew when it is removed.
  private static func removeAgainAtExit(_ url: URL) {
    let isFirst = all.withLock { all in
      all.append(url)
      return all.count == 1
    }
    guard isFirst else { return }
    atexit {
      for url in TemporaryDirectory.all.withLock({ $0 }) { try? FileManager.default.removeItem(at: url) }
    }
  }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }
}
