import AutoMobileSupport
import Foundation

/// The documented export of a trail: a JSON array in `automobile_breadcrumbs.json`.
struct BreadcrumbFile {
  private let url: URL
  /// Larger files were not written by us, and are not read.
  private static let maximumSize = 16 * 1024 * 1024

  /// - Parameter directory: `Library/Caches` when nil.
  init?(_ directory: URL?) {
    guard
      let directory = directory ?? FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
    else { return nil }
    url = directory.appendingPathComponent("automobile_breadcrumbs.json", isDirectory: false)
  }

  func write(_ breadcrumbs: [Breadcrumb]) {
    guard let data = try? JSONEncoder().encode(breadcrumbs) else { return }
    try? FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try? data.writeProtected(to: url)
  }

  func read() -> [Breadcrumb]? {
    let size = (try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int) ?? nil
    guard let size, size <= Self.maximumSize, let data = try? Data(contentsOf: url) else { return nil }
    return try? JSONDecoder().decode([Breadcrumb].self, from: data)
  }

  func remove() { try? FileManager.default.removeItem(at: url) }
}
