import Foundation

/// What the program is told, and what it answers, in files.
struct Orders: Sendable {
  let directory: URL

  func file(_ name: String) -> URL { directory.appendingPathComponent(name) }

  func answer(_ name: String, _ text: String) {
    try? Data(text.utf8).write(to: file(name), options: .atomic)
  }

  /// Has the main thread hang whenever that is ordered.
  func obey(while condition: () -> Bool) {
    var number = 1
    while condition() {
      if let text = try? String(contentsOf: file("hang-\(number)"), encoding: .utf8),
        let way = WayToHang(rawValue: text)
      {
        let current = number
        DispatchQueue.main.async { hang(way, number: current) }
        number += 1
      }
      usleep(2000)
    }
  }

  @MainActor private func hang(_ way: WayToHang, number: Int) {
    answer("begun-\(number)", "")
    way.hang(until: ReleaseFile(file("release-\(number)")))
    answer("over-\(number)", "")
  }
}

/// The file that ends a hang. Looked for without allocating: some hangs leave no memory for others.
final class ReleaseFile: Sendable {
  private let path: [CChar]

  init(_ url: URL) { path = Array(url.path.utf8CString) }

  var isThere: Bool { access(path, F_OK) == 0 }
}
