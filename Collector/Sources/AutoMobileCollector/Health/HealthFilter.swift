import Foundation
import Hummingbird

/// Which part of what is known *App health* speaks of.
struct HealthFilter: Sendable {
  var bundleId: String?
  var version: String?
  /// Milliseconds since 1970; the end is not in it.
  var from: Int64
  var to: Int64

  static let day: Int64 = 86_400_000
  /// How far back it goes when nobody says.
  static let standardDays: Int64 = 14
  private static let lengths: [Int64] = [
    60_000, 300_000, 900_000, 3_600_000, 3 * 3_600_000, 6 * 3_600_000, day, 7 * day, 30 * day, 365 * day,
  ]

  /// The length of one part of a trend, in milliseconds: such that there are 31 at most.
  var bucket: Int64 {
    let span = max(1, to - from)
    return Self.lengths.first { span / $0 <= 30 } ?? Self.lengths[Self.lengths.count - 1]
  }

  /// Parts of a trend; the last one ends at ``to``.
  var buckets: Int { Int(min(400, max(1, (to - from + bucket - 1) / bucket))) }

  /// The part that a time falls into; nil when it is outside.
  func index(of timestamp: Int64) -> Int? { parts.index(of: timestamp) }

  /// For many times: what is the same for all of them is found out once.
  var parts: Parts { Parts(from: from, to: to, length: bucket, count: buckets) }

  /// When a part begins.
  func start(of index: Int) -> Int64 { to - Int64(buckets - index) * bucket }
}

extension HealthFilter {
  /// The parts of a trend.
  struct Parts: Sendable {
    let from: Int64
    let to: Int64
    let length: Int64
    let count: Int

    func index(of timestamp: Int64) -> Int? {
      guard timestamp >= from, timestamp < to else { return nil }
      return index(fromEnd: (to - 1 - timestamp) / length)
    }

    /// - Parameter place: of the last part 0, of the one before it 1.
    func index(fromEnd place: Int64) -> Int? {
      let index = count - 1 - Int(min(Int64(Int32.max), place))
      return index >= 0 ? index : nil
    }
  }
}

extension HealthFilter {
  /// From a request's query.
  ///
  /// - Throws: ``APIError`` that says which parameter is no good.
  init(_ request: Request, now: Int64) throws {
    func time(_ name: String) throws -> Int64? {
      guard let text = request.parameter(name) else { return nil }
      guard let time = Int64(text), time.magnitude < 100_000_000_000_000 else {
        throw APIError.badRequest("invalid_\(name)", "\(name) must be a time in milliseconds since 1970")
      }
      return time
    }
    bundleId = request.parameter("app")
    version = request.parameter("version")
    to = try time("to") ?? now + 1
    from = try time("from") ?? to - Self.standardDays * Self.day
    guard from < to else { throw APIError.badRequest("invalid_from", "“from” must be before “to”") }
  }

  func admits(app: String?, version other: String?) -> Bool {
    (bundleId == nil || bundleId == app) && (version == nil || version == other)
  }
}
