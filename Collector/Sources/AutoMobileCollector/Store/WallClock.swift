import Foundation

/// The collector's own clock: when something arrived or was decided. May jump either way.
enum WallClock {
  /// Milliseconds since 1970.
  static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
