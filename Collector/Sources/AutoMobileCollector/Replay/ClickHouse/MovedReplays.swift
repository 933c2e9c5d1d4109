import AutoMobileState
import Foundation

/// The list, in the state, of moves of replays, and of the collectors that make them their own. Until one has, they are shown, and nobody
/// removes them.
enum MovedReplays {
  private struct Entry: Codable {
    /// The collector that does it; nil: nobody does yet.
    var adopter: String?
    var isDone = false
    /// Raised whenever a command begins to put packs, and when it has put them. Nil: never, in a list of an earlier version.
    var turn: Int?
    /// A command puts packs of it, or one was ended that did.
    var isMoving: Bool?
    /// When a command said so last, in milliseconds since 1970; nil in a list of an earlier version.
    var movingAt: Int64?

    mutating func raise(isMoving: Bool, at now: Int64 = WallClock.now) {
      (turn, self.isMoving, movingAt) = ((turn ?? 0) + 1, isMoving, isMoving ? now : nil)
    }

    /// A machine that never comes back must not keep everybody from what it has put: nobody would remove it.
    func isHeld(at now: Int64) -> Bool {
      isMoving == true && (movingAt.map { now - $0 < MovedReplays.longestSilence } ?? true)
    }
  }

  /// A move that a collector makes its own.
  struct Taken: Sendable, Equatable {
    var move: String
    fileprivate var turn: Int?
  }

  private static let setting = "moved_replays"

  /// Names of packs of a move begin so: they are told apart from all others, and the same when it goes on.
  static func prefix(_ move: String) -> String { "m\(move.lowercased().filter(\.isHexDigit).prefix(12))-" }

  /// A command from which nothing has been heard for so long is not waited for, in milliseconds.
  static let longestSilence: Int64 = 86_400_000

  /// To be called before the first pack is put, and every now and then while there are more: until ``add(_:in:)`` nobody makes the move
  /// its own, nor takes packs away that ClickHouse does not name yet. Not for longer than ``longestSilence``.
  ///
  /// - Returns: whether that was so before, too: no collector can have made anything of it its own in between.
  @discardableResult
  static func begin(_ move: String, in state: any StateStore, at now: Int64 = WallClock.now) throws -> Bool {
    var wasHeld = false
    try change(state) { entries in
      wasHeld = entries[move]?.isHeld(at: now) ?? false
      entries[move, default: Entry()].raise(isMoving: true, at: now)
    }
    return wasHeld
  }

  /// To be called when ClickHouse has all of a move. When there is more of it later, that goes to the same collector.
  static func add(_ move: String, in state: any StateStore) throws {
    try change(state) { entries in
      entries[move, default: Entry()].raise(isMoving: false)
      entries[move]?.isDone = false
    }
  }

  /// The moves that a collector has to make its own: those that nobody has begun with, its own, and those of collectors of which nothing
  /// has been heard for a day.
  static func take(by collector: String, in state: any StateStore, at now: Int64 = WallClock.now) throws -> [Taken] {
    func free(_ state: borrowing StateReading) throws -> [String] {
      let waiting = try entries(in: state).filter { !$0.value.isDone && !$0.value.isHeld(at: now) }
      guard !waiting.isEmpty else { return [] }
      let present = try WriterList.present(in: state, at: now)
      return waiting.filter { entry in
        entry.value.adopter.map { $0 == collector || !present.contains($0) } ?? true
      }.keys.sorted()
    }
    guard try !state.readNow(free).isEmpty else { return [] }
    return try state.writeNow { state in
      let names = try free(state.reading)
      var entries = try entries(in: state.reading)
      for name in names where entries[name]?.adopter != collector {
        // Whoever had it before, and is there again, does not end it.
        if entries[name]?.adopter != nil { entries[name]?.raise(isMoving: false) }
        entries[name]?.adopter = collector
      }
      try write(entries, in: state)
      return names.map { Taken(move: $0, turn: entries[$0]?.turn) }
    }
  }

  /// Whether no command has begun to put more of it since.
  static func isCurrent(_ taken: Taken, in state: any StateStore) throws -> Bool {
    try state.readNow { try entries(in: $0)[taken.move].map { $0.turn == taken.turn } ?? false }
  }

  /// All that there was when it was taken is done: what was put since is not.
  static func finish(_ taken: Taken, in state: any StateStore) throws {
    try change(state) { entries in
      guard entries[taken.move]?.turn == taken.turn else { return }
      entries[taken.move]?.isDone = true
    }
  }

  private static func change(_ state: any StateStore, _ body: (inout [String: Entry]) -> Void) throws {
    try state.writeNow { state in
      var entries = try entries(in: state.reading)
      body(&entries)
      try write(entries, in: state)
    }
  }

  private static func write(_ entries: [String: Entry], in state: borrowing StateWriting) throws {
    let text = String(decoding: try JSONEncoder().encode(entries), as: UTF8.self)
    try StateSetting.write(setting, text, by: "automobile", at: WallClock.now, in: state)
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
