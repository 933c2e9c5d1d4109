import AutoMobileRecorder
import AutoMobileSupport

/// The breadcrumbs that a crash's report carries.
enum CrashBreadcrumbs {
  static let maximumCount = 200
  /// In bytes, of all texts together.
  private static let maximumSize = 100_000

  /// The last ones, with long texts cut.
  static func bounded(_ breadcrumbs: [Breadcrumb]) -> [Breadcrumb] {
    var size = 0
    var kept: [Breadcrumb] = []
    for breadcrumb in breadcrumbs.suffix(maximumCount).reversed() {
      let short = shortened(breadcrumb)
      size += 80 + short.message.utf8.count + short.metadata.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
      guard size <= maximumSize else { break }
      kept.append(short)
    }
    return kept.reversed()
  }

  private static func shortened(_ breadcrumb: Breadcrumb) -> Breadcrumb {
    var metadata: [String: String] = [:]
    for key in breadcrumb.metadata.keys.ordered().prefix(20) {
      metadata[String(key.prefix(100))] = breadcrumb.metadata[key].map { String($0.prefix(300)) }
    }
    return Breadcrumb(
      timestamp: breadcrumb.timestamp, category: breadcrumb.category, message: String(breadcrumb.message.prefix(500)),
      metadata: metadata)
  }
}
