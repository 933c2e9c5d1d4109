import AutoMobileState
import Foundation
import Logging

/// The number of a collector among those that write into one ClickHouse. It is in the numbers of all events that came to it, which is
/// why no two collectors may have the same one, not even one after the other within clocks that differ.
///
/// So it belongs to a data directory, and stays its own while it is not running: the state has the list of them. Where none is left,
/// the one goes to a new directory of which nothing has been heard for longest, and not for a day. A directory that was copied while its
/// collector runs is found out by a lock that each of them holds: the copy gets a number of its own.
final class WriterNumber: Sendable {
  let number: Int
  /// The directory's name in the list; another one when it was a copy.
  let identity: String
  private let hold: StateHold?
  private let heartbeat: Task<Void, Never>?

  private struct Owner: Codable {
    var number: Int
    /// Milliseconds since 1970.
    var seen: Int64
  }

  private static let setting = "telemetry_writers"
  static let most = Int(FrameNumbers.writers)
  /// In milliseconds.
  static let patience: Int64 = 86_400_000
  private static let beat: Duration = .seconds(3600)
  private static let grace: Duration = .seconds(3)

  /// - Parameter identity: nil: a new directory.
  /// - Throws: ``CollectorError`` when there are as many collectors as there can be; what the state says.
  init(identity known: String?, in store: EventStore, logger: Logger) throws {
    let state = store.state
    let first = known ?? UUID().uuidString
    guard store.sharesState else {
      // Who keeps the state in its own file is alone.
      (number, identity, hold, heartbeat) = (0, first, nil, nil)
      return
    }
    for name in [first, UUID().uuidString] {
      guard let number = try Self.take(name, in: state, at: WallClock.now) else {
        throw CollectorError.telemetryUnusable(
          reason:
            "\(Self.most) collectors write into it, which are as many as can: a number becomes free a day after its collector was last there"
        )
      }
      guard let hold = try Self.hold(number, in: state) else {
        logger.warning(
          "another collector runs with a copy of this data directory: this one takes a number of its own")
        continue
      }
      (self.number, identity, self.hold) = (number, name, hold)
      heartbeat = Self.beat(name, number, state, logger)
      return
    }
    throw CollectorError.telemetryUnusable(reason: "no number among its writers can be had: start it again")
  }

  deinit { heartbeat?.cancel() }

  /// Waits for a moment: of whoever was killed the database may hear later.
  private static func hold(_ number: Int, in state: any StateStore) throws -> StateHold? {
    let end = ContinuousClock.now + grace
    repeat {
      let work = StateWork("telemetry writer \(number)")
      if let hold = try waitFor({ try await state.hold(work) }) { return hold }
      Thread.sleep(forTimeInterval: 0.2)
    } while ContinuousClock.now < end
    return nil
  }

  /// Others may start with a copy of this directory from now on.
  func release() {
    heartbeat?.cancel()
    hold?.release()
  }

  /// The number of a directory, a new one if need be; nil: there is none.
  static func take(_ identity: String, in state: any StateStore, at now: Int64) throws -> Int? {
    try state.writeNow { state in
      var owners = try owners(in: state.reading)
      let number: Int
      if let own = owners[identity] {
        number = own.number
      } else {
        let taken = Set(owners.values.map(\.number))
        if let free = (0..<most).first(where: { !taken.contains($0) }) {
          number = free
        } else if let oldest = owners.min(by: { $0.value.seen < $1.value.seen }), oldest.value.seen < now - patience {
          owners[oldest.key] = nil
          number = oldest.value.number
        } else {
          return nil
        }
      }
      owners[identity] = Owner(number: number, seen: max(now, owners[identity]?.seen ?? now))
      let text = String(decoding: try JSONEncoder().encode(owners), as: UTF8.self)
      try StateSetting.write(setting, text, by: "automobile", at: now, in: state)
      return number
    }
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

  /// Says from time to time that it is in use.
  private static func beat(
    _ identity: String, _ number: Int, _ state: any StateStore, _ logger: Logger
  ) -> Task<Void, Never> {
    Task {
      while true {
        do { try await Task.sleep(for: beat) } catch { return }
        let kept = try? await state.write { state -> Bool in
          var owners = try owners(in: state.reading)
          guard owners[identity]?.number == number else { return false }
          let now = WallClock.now
          owners[identity]?.seen = now
          let text = String(decoding: try JSONEncoder().encode(owners), as: UTF8.self)
          try StateSetting.write(setting, text, by: "automobile", at: now, in: state)
          return true
        }
        if kept == false {
          logger.error(
            "this collector's number was given to another one, since nothing was heard of it for a day: start it again")
        }
      }
    }
  }
}
