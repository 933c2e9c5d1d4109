import Foundation

@testable import AutoMobileJournal

/// What a launch of `sdk-victim … remote` recorded, put together from what is on the disk and from what has arrived; and which of it
/// rules name, reckoned as simply as can be, from JSON that Foundation has read.
struct KilledLaunch {
  struct Event {
    var position: UInt64
    var time: Int64 = 0
    var isSummary = false
    /// The trigger's name, when it is one.
    var trigger: String?
    var user: String?
    /// Which victim recorded it, in which thread, as the how many-th of that.
    var victim: Int?
    var thread = 0
    var number = 0
  }

  /// By position.
  let events: [Event]
  /// What rules of the victim name around a trigger, in milliseconds.
  static let (before, after): (Int64, Int64) = (120, 60)

  /// What is on the disk now.
  static func walk(_ launch: LaunchID, _ journal: Journal) -> [UInt64: Event] {
    var (events, users): ([UInt64: Event], [Int: String]) = ([:], [:])
    var position: UInt64 = 0
    while true {
      let walked = journal.walk(launch, from: position, maximumBytes: 1 << 20) { kind, at, _, payload in
        switch kind {
        case .context:
          let context = (try? JSONSerialization.jsonObject(with: Data(payload))) as? [String: Any]
          if let id = context?["contextId"] as? Int { users[id] = context?["userId"] as? String }
        case .event, .eventAndBreadcrumb: events[at] = Event(at, Data(payload)) { users[$0] }
        default: break
        }
      }
      position = walked.next
      if walked.isEnd { return events }
    }
  }

  /// - Parameters:
  ///   - walked: what was on the disk before the last delivery.
  ///   - arrived: the JSON by position, with its contexts in full.
  init(walked: [UInt64: Event], arrived: [UInt64: String]) {
    var known = walked
    for (position, json) in arrived where known[position] == nil {
      known[position] = Event(position, Data(json.utf8)) { _ in nil }
    }
    events = known.values.sorted { $0.position < $1.position }
  }

  /// The positions of what a rule names that has held all the time.
  func mustGo(around trigger: String) -> Set<UInt64> {
    var named: Set<UInt64> = []
    var (isOpen, until, last): (Bool, Int64, Int) = (false, 0, 0)
    for (index, event) in events.enumerated() {
      if isOpen, event.time > until { (isOpen, last) = (false, index) }
      if event.trigger == trigger {
        until = isOpen ? max(until, event.time + Self.after) : event.time + Self.after
        if !isOpen {
          let early = events[..<index].lastIndex { $0.time < event.time - Self.before }
          for before in max(last, (early ?? -1) + 1)..<max(last, index) { named.insert(events[before].position) }
        }
        isOpen = true
      }
      if isOpen { named.insert(event.position) }
    }
    return named
  }

  /// The positions of all that may have been named, if the rule has held at the right times.
  func mayGo(around trigger: String) -> Set<UInt64> {
    var named: Set<UInt64> = []
    for (index, event) in events.enumerated() where event.trigger == trigger {
      // A summary about another launch is passed over.
      let early = events[..<index].lastIndex { !$0.isSummary && $0.time < event.time - Self.before }
      let late = events[index...].firstIndex { $0.time > event.time + Self.after } ?? events.count
      for near in (early ?? -1) + 1..<max(late, index + 1) { named.insert(events[near].position) }
    }
    return named
  }
}

extension KilledLaunch.Event {
  /// - Parameter user: of a context, by its id.
  init(_ position: UInt64, _ json: Data, user: (Int) -> String?) {
    self.position = position
    guard let event = (try? JSONSerialization.jsonObject(with: json)) as? [String: Any] else { return }
    let type = event["eventType"] as? String
    time = (event["timestamp"] as? NSNumber)?.int64Value ?? 0
    isSummary = type == "session_summary"
    if type == "lifecycle", let state = event["state"] as? String, state.hasPrefix("trigger ") { trigger = state }
    self.user = (event["contextId"] as? Int).flatMap(user) ?? event["userId"] as? String
    guard let properties = event["properties"] as? [String: Any], event["name"] as? String == "victim" else { return }
    victim = (properties["victim"] as? String).flatMap { Int($0) }
    thread = (properties["thread"] as? String).flatMap { Int($0) } ?? 0
    number = (properties["n"] as? String).flatMap { Int($0) } ?? 0
  }
}
