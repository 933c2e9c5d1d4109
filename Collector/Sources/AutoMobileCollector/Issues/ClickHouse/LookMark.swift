import AutoMobileState
import Foundation

/// How far those who look at reports have come: in the state, where each of them finds it.
///
/// What a look tells the state is kept together with the reports that it is about (``underWay``), and ClickHouse is written to
/// afterwards. So whoever goes on after an end of the process between the two writes the rows again, and tells nothing twice.
struct LookMark: Codable, Sendable, Equatable {
  /// The number of the last look.
  var last: Int64 = 0
  /// Of the last one whose rows are in ClickHouse, on all shards.
  var confirmed: Int64 = 0
  /// Reports that the last look told of, as long as their rows may not be there.
  var underWay: [ReportName] = []

  private static let name = "issue looks"

  init(in state: borrowing StateReading) throws {
    guard let row = try StateSetting.row(Self.name, in: state) else { return }
    self = try JSONDecoder().decode(LookMark.self, from: Data((row[0] as String).utf8))
  }

  func write(in state: borrowing StateWriting) throws {
    let json = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    try StateSetting.write(Self.name, json, by: "", at: WallClock.now, in: state)
  }

  /// The next number: larger than all before, also than those of another state that was here once.
  var next: Int64 { max(last + 1, WallClock.now) }
}

enum LookError: Error {
  /// Another collector looks now.
  case overtaken
}
