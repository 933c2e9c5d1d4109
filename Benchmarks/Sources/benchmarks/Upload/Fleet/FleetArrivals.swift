import AutoMobileJournal
import Foundation

/// What has come from a fleet's phones, by launch.
final class FleetArrivals: @unchecked Sendable {
  // Unchecked because `lock` guards what changes.

  struct Launch {
    /// Names of its events, which are counted once.
    var positions: Set<UInt64> = []
    /// When they were over, by their own word: that is when they were recorded.
    var times: Set<Int64> = []
    /// How often something came again.
    var doubled = 0
    /// Events of types that are sent always: crashes, and summaries.
    var special: [ReceivedBatch.Event] = []
    /// How many others there are.
    var others = 0
  }

  struct Sums {
    /// That came, each once, and their JSON in bytes.
    var events = 0
    var json = 0
    /// Bodies with nothing in them but summaries, in bytes.
    var summaries = 0
    var summaryRequests = 0
    /// Bodies with something else, and final ledgers.
    var others = 0
  }

  private let lock = NSLock()
  private var launches: [String: [LaunchID: Launch]] = [:]
  private var sums: [String: Sums] = [:]

  func note(_ group: String, _ batch: ReceivedBatch) {
    lock.withLock {
      var launch = launches[group]?[batch.launch] ?? Launch()
      for event in batch.events {
        guard launch.positions.insert(event.position).inserted else {
          launch.doubled += 1
          continue
        }
        launch.times.insert(event.endedAt)
        sums[group, default: Sums()].events += 1
        sums[group, default: Sums()].json += event.json.count
        if event.type == "session_summary" || event.type == "crash" {
          launch.special.append(event)
        } else {
          launch.others += 1
        }
      }
      launches[group, default: [:]][batch.launch] = launch
      if !batch.events.isEmpty, batch.events.allSatisfy({ $0.type == "session_summary" }) {
        sums[group, default: Sums()].summaries += batch.size
        sums[group, default: Sums()].summaryRequests += 1
      } else {
        sums[group, default: Sums()].others += batch.size
      }
    }
  }

  /// What came from one phone, which is forgotten then.
  func take(_ group: String, _ names: [LaunchID]) -> [LaunchID: Launch] {
    lock.withLock {
      var taken: [LaunchID: Launch] = [:]
      for name in names { taken[name] = launches[group]?.removeValue(forKey: name) }
      return taken
    }
  }

  func sums(_ group: String) -> Sums { lock.withLock { sums[group] ?? Sums() } }

  /// Crashes and summaries that launches have told of a launch, which may be themselves. A summary that only says how a session ended
  /// names no launch: it is about the one that told of the session before.
  static func told(of launch: LaunchID, by all: [LaunchID: Launch]) -> [(
    type: String, object: [String: Any], time: Int64
  )] {
    let own = Set(
      all[launch]?.special.map(\.object).filter { $0["ofLaunch"] == nil && $0["sameAs"] == nil }
        .compactMap { $0["session"] as? String } ?? [])
    return all.flatMap { teller, arrivals in
      arrivals.special.compactMap { event in
        let object = event.object
        if object["sameAs"] != nil {
          return own.contains(object["session"] as? String ?? "") ? (event.type, object, event.timestamp) : nil
        }
        let named = (object["ofLaunch"] as? String).flatMap { LaunchID($0) } ?? teller
        return named == launch ? (event.type, object, event.timestamp) : nil
      }
    }
  }
}

extension ReceivedBatch.Event {
  /// Requests and hangs have the time at which they began.
  fileprivate var endedAt: Int64 {
    guard type == "network_request" || type == "hang", let lasted = object["durationMs"] as? NSNumber else {
      return timestamp
    }
    return timestamp + lasted.int64Value
  }
}
