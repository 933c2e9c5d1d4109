import Foundation

@testable import AutoMobileCollector

extension SessionRow {
  /// Without its place, and without numbers of events, which each store chooses for itself.
  var described: String {
    var row = self
    row.match?.event = 0
    for index in row.failures.indices { row.failures[index].event = 0 }
    row.counts.sort { ($0.count, $1.type) > ($1.count, $0.type) }
    var json = JSONOutput()
    json.object { row.writeMembers(to: &$0) }
    return String(buffer: json.buffer)
  }
}

extension LaunchRow {
  var described: String {
    var json = JSONOutput()
    write(to: &json)
    return String(buffer: json.buffer)
  }
}

extension EventRow {
  /// Without its number, which each store chooses for itself.
  func described(_ events: [Int64: String]) -> String {
    var row = self
    row.id = 0
    // Of two sessions that are called the same, events have one name in a store that numbers none.
    row.sessionId = String(sessionId.prefix { $0 != "@" })
    var json = JSONOutput()
    row.write(to: &json)
    return "\(events[id] ?? "?") \(String(buffer: json.buffer))"
  }
}

extension QuarantineRow {
  var described: String {
    var row = self
    row.id = 0
    var json = JSONOutput()
    row.write(to: &json)
    return String(buffer: json.buffer)
  }
}

extension OutlineColumns {
  /// With the names of events in the place of their numbers.
  func described(_ events: [Int64: String]) throws -> String {
    var json = JSONOutput()
    write(to: &json, SearchQuery(everythingIn: .events))
    let data = Data(String(buffer: json.buffer).utf8)
    var tree = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    var id: Int64 = 0
    tree["ids"] = (tree["ids"] as? [Int64] ?? []).map { difference -> String in
      id += difference
      return events[id] ?? "?"
    }
    tree["newest"] = nil
    tree["screens"] = (tree["screens"] as? [[Any]] ?? []).map { pair in
      [events[(pair.first as? NSNumber)?.int64Value ?? 0] ?? "?", pair.last as? String ?? "?"]
    }
    return String(
      decoding: try JSONSerialization.data(withJSONObject: tree, options: [.sortedKeys, .prettyPrinted]), as: UTF8.self)
  }
}

extension OutgoingRow {
  func described(_ events: [Int64: String]) -> String {
    "\(events[id] ?? "?") \(type) \(timestamp) \(received) \(sequence) \(context != nil) \(String(decoding: payload, as: UTF8.self))"
  }
}
