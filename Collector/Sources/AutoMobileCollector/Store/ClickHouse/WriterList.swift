import AutoMobileState
import Foundation

/// The list, in the state, of which data directory has which number among those that write into one ClickHouse.
enum WriterList {
  /// What a directory has got.
  struct Taken: Sendable, Equatable {
    var number: Int
    /// It was not in the list before.
    var isNew = false
    /// Whose number it was, of whom nothing was heard for long.
    var before: String?
  }

  private struct Owner: Codable {
    var number: Int
    /// Milliseconds since 1970; ``WriterList/forEver``.
    var seen: Int64
  }

  private static let setting = "telemetry_writers"
  static let most = Int(FrameNumbers.writers)
  /// In milliseconds.
  static let patience: Int64 = 86_400_000
  /// Of who moved something: what is there under the number is not of the time at which it came, so nobody else has it later.
  private static let forEver = Int64.max

  /// The number of a directory, a new one if need be.
  ///
  /// - Parameters:
  ///   - bound: the only one that will do.
  ///   - besides: none of these is given out.
  ///   - forMoving: nobody else ever has it.
  /// - Returns: nil: there is none.
  static func take(
    _ identity: String, bound: Int? = nil, besides: Set<Int> = [], forMoving: Bool = false, in state: any StateStore,
    at now: Int64
  ) throws -> Taken? {
    try state.writeNow { state -> Taken? in
      var owners = try owners(in: state.reading)
      guard let taken = find(identity, bound, besides, &owners, at: now) else { return nil }
      let seen = forMoving ? forEver : max(now, owners[identity]?.seen ?? now)
      owners[identity] = Owner(number: taken.number, seen: seen)
      try write(owners, at: now, in: state)
      return taken
    }
  }

  private static func find(
    _ identity: String, _ bound: Int?, _ besides: Set<Int>, _ owners: inout [String: Owner], at now: Int64
  ) -> Taken? {
    if let own = owners[identity]?.number { return bound ?? own == own ? Taken(number: own) : nil }
    let used = Set(owners.values.map(\.number))
    if let bound { return used.contains(bound) ? nil : Taken(number: bound, isNew: true) }
    if let free = (0..<most).first(where: { !used.contains($0) && !besides.contains($0) }) {
      return Taken(number: free, isNew: true)
    }
    let others = owners.filter { !besides.contains($0.value.number) }
    guard let oldest = others.min(by: { $0.value.seen < $1.value.seen }), oldest.value.seen < now - patience else {
      return nil
    }
    owners[oldest.key] = nil
    return Taken(number: oldest.value.number, isNew: true, before: oldest.key)
  }

  /// A directory does not use the number that it has just got: somebody holds it. Whose it was has it again.
  static func giveBack(_ taken: Taken, of identity: String, in state: any StateStore, at now: Int64) throws {
    guard taken.isNew else { return }
    try state.writeNow { state in
      var owners = try owners(in: state.reading)
      guard owners[identity]?.number == taken.number else { return }
      owners[identity] = nil
      if let before = taken.before, owners[before] == nil {
        owners[before] = Owner(number: taken.number, seen: now)
      }
      try write(owners, at: now, in: state)
    }
  }

  /// A directory's collector is there.
  ///
  /// - Returns: false: the number is not its own any more.
  static func see(_ identity: String, _ number: Int, in state: any StateStore) async throws -> Bool {
    try await state.write { state -> Bool in
      var owners = try owners(in: state.reading)
      guard owners[identity]?.number == number else { return false }
      let now = WallClock.now
      owners[identity]?.seen = now
      try write(owners, at: now, in: state)
      return true
    }
  }

  /// All that somebody has.
  static func numbers(in state: borrowing StateReading) throws -> Set<Int> {
    Set(try owners(in: state).values.map(\.number))
  }

  /// Directories of which something was heard within a day.
  static func present(in state: borrowing StateReading, at now: Int64) throws -> Set<String> {
    Set(try owners(in: state).filter { $0.value.seen >= now - patience }.keys)
  }

  /// Under which something was moved.
  static func moved(in state: borrowing StateReading) throws -> [Int64] {
    try owners(in: state).values.filter { $0.seen == forEver }.map { Int64($0.number) }.sorted()
  }

  private static func owners(in state: borrowing StateReading) throws -> [String: Owner] {
    guard let row = try StateSetting.row(setting, in: state) else { return [:] }
    let text: String = try row[0]
    // Whoever began anew would give out what somebody has.
    guard let owners = try? JSONDecoder().decode([String: Owner].self, from: Data(text.utf8)) else {
      throw CollectorError.telemetryUnusable(
        reason: "the list of collectors that write into it was made by another version of this program")
    }
    return owners
  }

  private static func write(_ owners: [String: Owner], at now: Int64, in state: borrowing StateWriting) throws {
    let text = String(decoding: try JSONEncoder().encode(owners), as: UTF8.self)
    try StateSetting.write(setting, text, by: "automobile", at: now, in: state)
  }
}
