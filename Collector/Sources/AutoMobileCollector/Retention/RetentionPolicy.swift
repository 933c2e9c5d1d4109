import Foundation

/// How long things are kept. What is nil does not limit it.
struct RetentionPolicy: Codable, Equatable, Sendable {
  /// Days after the last delivery of a session, by the collector's own clock: a device's may be wrong.
  var days: Int?
  /// Of the index, in bytes: the sessions that were quiet for longest go first.
  var bytes: Int64?

  static let everything = RetentionPolicy()

  /// - Throws: ``APIError`` that names the member.
  func check() throws {
    if let days, !(1...Self.mostDays).contains(days) {
      throw APIError.badRequest("invalid_days", "days must be from 1 to \(Self.mostDays), or null to keep everything")
    }
    if let bytes, !(Self.leastBytes...Self.mostBytes).contains(bytes) {
      throw APIError.badRequest("invalid_bytes", "bytes must be at least \(Self.leastBytes), or null for no limit")
    }
  }

  static let mostDays = 3650
  static let leastBytes: Int64 = 64 << 20
  static let mostBytes: Int64 = 1 << 50
}
