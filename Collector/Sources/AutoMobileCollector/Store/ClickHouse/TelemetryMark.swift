import AutoMobileClickHouse
import AutoMobileState
import Foundation

/// That a data directory remembers where its telemetry is: another place has none of it, and what of it is under way belongs there.
///
/// It stands in the index's own file, whatever the state is in.
struct TelemetryMark: Codable, Sendable, Equatable {
  /// For people; without anything secret.
  var place: String
  var database: String
  /// Nil: one server.
  var cluster: String?
  /// As `host:port`.
  var hosts: [String]
  /// By which this directory is known to the state.
  var identity: String
  /// Under which it writes; nil: it has not begun to.
  var number: Int?
  /// What was known of the servers when they answered last.
  var known: RememberedCluster

  static let name = "telemetry_place"

  init(_ address: ClickHouseAddress, identity: String, number: Int?, known: RememberedCluster) {
    place = address.description
    database = address.database.text
    cluster = address.cluster?.text
    hosts = address.hosts.map(\.description)
    self.identity = identity
    self.number = number
    self.known = known
  }

  /// Whether something of this directory may be there.
  var isInUse: Bool { number != nil }

  /// - Parameter index: the tables in the index's file.
  /// - Throws: ``CollectorError`` when another version wrote it.
  static func read(_ index: any StateStore) throws -> TelemetryMark? {
    guard let row = try index.readNow({ try StateSetting.row(name, in: $0) }) else { return nil }
    return try read(row[0] as String)
  }

  static func read(_ text: String) throws -> TelemetryMark {
    guard let mark = try? JSONDecoder().decode(TelemetryMark.self, from: Data(text.utf8)) else {
      throw CollectorError.telemetryUnusable(
        reason: "where it is was written down by another version of this program")
    }
    return mark
  }

  func write(_ index: any StateStore) throws {
    let text = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    try index.writeNow { try StateSetting.write(Self.name, text, by: "automobile", at: WallClock.now, in: $0) }
  }

  /// For who reads the index, where there is nothing of it.
  ///
  /// - Throws: ``CollectorError`` when telemetry is elsewhere.
  static func check(_ store: EventStore) throws {
    guard let mark = try read(store.own), mark.isInUse else { return }
    throw CollectorError.telemetryElsewhere(known: mark.place, given: "the data directory")
  }

  /// The place may have got other hosts, one after the other, and other ports: one of them has to be known.
  ///
  /// - Parameter mark: nil: the directory has none.
  /// - Throws: ``CollectorError`` when this directory's telemetry is elsewhere.
  static func check(_ address: ClickHouseAddress, _ mark: TelemetryMark?, in store: EventStore) throws {
    guard let mark, mark.isInUse else {
      guard try !hasTelemetry(store) else {
        throw CollectorError.telemetryElsewhere(known: "the data directory", given: address.description)
      }
      return
    }
    let hosts = Set(address.hosts.map(\.description))
    guard mark.database == address.database.text, mark.cluster == address.cluster?.text,
      !hosts.isDisjoint(with: mark.hosts)
    else { throw CollectorError.telemetryElsewhere(known: mark.place, given: address.description) }
  }

  /// Whether this file has something that apps recorded, or replays of it.
  private static func hasTelemetry(_ store: EventStore) throws -> Bool {
    try store.own.readNow { index in
      try index.row(
        """
        SELECT 1 WHERE EXISTS (SELECT 1 FROM session) OR EXISTS (SELECT 1 FROM launch) OR EXISTS (SELECT 1 FROM replay)
          OR EXISTS (SELECT 1 FROM replay_pack)
        """) != nil
    }
  }
}
