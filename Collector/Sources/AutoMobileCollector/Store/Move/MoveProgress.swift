import AutoMobileClickHouse
import Foundation

/// How far a data directory's telemetry has been moved; kept beside it, so that a move that was ended goes on.
struct MoveProgress: Codable, Sendable, Equatable {
  static let file = "moved.json"

  /// Where to: for people, and to compare.
  var place: String
  var database: String
  var cluster: String?
  /// As `host:port`.
  var hosts: [String]
  /// By which the state knows who moves, and the number under which that writes.
  var identity: String
  var number: Int
  /// When it began, in milliseconds since 1970.
  var begun: Int64
  /// The last event that ClickHouse has confirmed, as the index numbers it; and the number that it has there.
  var event: Int64 = 0
  var last: Int64 = -1
  /// Events that are behind it: those that have been confirmed, and those that were left out.
  var events = 0
  /// Of somebody who was erased.
  var erased = 0
  /// That cannot be read; they are in quarantine there.
  var unreadable = 0
  var isDone = false

  /// Of one that begins.
  init(_ address: ClickHouseAddress, identity: String, number: Int, begun: Int64) {
    (place, database, cluster) = (address.description, address.database.text, address.cluster?.text)
    hosts = address.hosts.map(\.description)
    (self.identity, self.number, self.begun) = (identity, number, begun)
  }

  /// What ClickHouse has of it.
  var there: Int { events - erased - unreadable }

  /// - Throws: ``CollectorError`` when it was moved to another place.
  func check(_ address: ClickHouseAddress) throws {
    guard database == address.database.text, cluster == address.cluster?.text,
      !Set(hosts).isDisjoint(with: address.hosts.map(\.description))
    else {
      throw CollectorError.telemetryUnusable(
        reason:
          "this directory was moved to \(place), not to \(address): remove its \(Self.file) to move it there as well")
    }
  }

  /// - Throws: ``CollectorError`` when it cannot be understood.
  static func read(_ directory: String) throws -> MoveProgress? {
    guard let bytes = try SyncedFile.read(path(directory)) else { return nil }
    guard let progress = try? JSONDecoder().decode(MoveProgress.self, from: Data(bytes)) else {
      throw CollectorError.telemetryUnusable(
        reason: "\(path(directory)) says how far a move was, and cannot be understood: remove it to begin again")
    }
    return progress
  }

  func write(_ directory: String) throws {
    try SyncedFile.write(Array(try JSONEncoder().encode(self)), to: Self.path(directory))
  }

  private static func path(_ directory: String) -> String { "\(directory)/\(file)" }
}
