import AutoMobileState
import Foundation

/// The list, in the state, of moves of replays, and of the collectors that make them their own. Until one has, they are shown, and nobody
/// removes them.
enum MovedReplays {
  private struct Entry: Codable {
    /// The collector that does it; nil: nobody does yet.
    var adopter: String?
    var isDone = false
  }

  private static let setting = "moved_replays"

  /// Names of packs of a move begin so: they are told apart from all others, and the same when it goes on.
  static func prefix(_ move: String) -> String { "m\(move.lowercased().filter(\.isHexDigit).prefix(12))-" }

  /// To be called when ClickHouse has all of a move. When there is more of it later, that goes to the same collector.
  static func add(_ move: String, in state: any StateStore) throws {
    try change(state) { $0[move, default: Entry()].isDone = false }
  }

  /// The moves that a collector has to make its own: those that nobody has begun with, and its own.
  static func take(by collector: String, in state: any StateStore) throws -> [String] {
    func free(_ entries: [String: Entry]) -> [String] {
      entries.filter { !$0.value.isDone && $0.value.adopter ?? collector == collector }.keys.sorted()
    }
    guard try !free(state.readNow { try entries(in: $0) }).isEmpty else { return [] }
    var taken: [String] = []
    try change(state) { entries in
      taken = free(entries)
      for move in taken { entries[move]?.adopter = collector }
    }
    return taken
  }

  static func finish(_ move: String, in state: any StateStore) throws {
    try change(state) { $0[move]?.isDone = true }
  }

  private static func change(_ state: any StateStore, _ body: (inout [String: Entry]) -> Void) throws {
    try state.writeNow { state in
      var entries = try entries(in: state.reading)
      body(&entries)
      let text = String(decoding: try JSONEncoder().encode(entries), as: UTF8.self)
      try StateSetting.write(setting, text, by: "automobile", at: WallClock.now, in: state)
    }
  }

  private static func entries(in state: borrowing StateReading) throws -> [String: Entry] {
    guard let row = try StateSetting.row(setting, in: state) else { return [:] }
    let text: String = try row[0]
    guard let entries = try? JSONDecoder().decode([String: Entry].self, from: Data(text.utf8)) else {
      throw CollectorError.telemetryUnusable(
        reason: "the list of replays that were moved was made by another version of this program")
    }
    return entries
  }
}
