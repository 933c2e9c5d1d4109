/// A release of ClickHouse.
package struct ClickHouseVersion: Sendable, Comparable, CustomStringConvertible {
  package var major: Int
  package var minor: Int

  package init(_ major: Int, _ minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// - Parameter text: what `version()` says: "18.16.1", "26.9.2.1".
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 2, let major = Int(parts[0]), let minor = Int(parts[1]), major >= 0, minor >= 0 else {
      return nil
    }
    self.init(major, minor)
  }

  package var description: String { "\(major).\(minor)" }

  package static func < (one: ClickHouseVersion, other: ClickHouseVersion) -> Bool {
    (one.major, one.minor) < (other.major, other.minor)
  }
}
