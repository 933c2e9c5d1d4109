import Foundation

/// The clock of the collector and of the command line: when something arrived, was decided or is looked at. May jump either way.
package enum WallClock {
  /// Milliseconds since 1970.
  package static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
