import Foundation

/// How far a data directory's telemetry has been moved; kept beside it, so that a move that was ended goes on.
struct MoveProgress: Codable, Sendable, Equatable {
  static let file = "moved.json"

  /// Where to: for people, and to compare.
  var place: String
  var database: String
  var cluster: String?
  /// By which the state knows who moves, and the number under which that writes.
  var identity: String
  var number: Int
  /// The last event that ClickHouse has confirmed, as the index numbers it; and the number that it has there.
  var event: Int64 = 0
  var last: Int64 = -1
  /// Events that have been confirmed.
  var events = 0
  var isDone = false

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

/// Gives what is moved its numbers: in the order in which the index has it, and of the time at which it was received, so that it has
/// the day of that. The same index has the same ones, whenever it is asked.
struct MoveNumbers {
  let writer: Int64
  private(set) var last: Int64

  mutating func next(_ received: Int64) -> Int64 {
    last = max(last + FrameNumbers.step, FrameNumbers.first(at: received) + writer)
    return last
  }

  init(writer: Int, last: Int64) {
    self.writer = Int64(writer)
    // The first one is the writer's own.
    self.last = last < 0 ? Int64(writer) - FrameNumbers.step : last
  }
}
