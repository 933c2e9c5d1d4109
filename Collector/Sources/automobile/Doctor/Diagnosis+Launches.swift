import AutoMobileCollector
import Foundation

/// What came of what apps recorded: stored, dropped, aged out, lost, or set aside.
extension Diagnosis {
  mutating func launches() async {
    guard let launches = try? await client.get("/api/launches")["launches"]?.array else { return }
    hasReceived = !launches.isEmpty
    guard hasReceived else { return checks.append(.empty("drops", "No launches yet.")) }
    var dropped: [String: Int] = [:]
    var lost = 0
    var doubled = 0
    // What apps keep until nobody has asked for it for long enough is not lost.
    var aged = 0
    for launch in launches {
      let agedOut = launch["agedOut"]?.int ?? 0
      for (reason, count) in launch["dropped"]?.object ?? [:] {
        dropped[reason, default: 0] += (count.int ?? 0) - (reason == "expired" ? agedOut : 0)
      }
      aged += agedOut
      lost += max(0, launch["lost"]?.int ?? 0)
      doubled += launch["duplicates"]?.int ?? 0
    }
    dropped = dropped.filter { $0.value > 0 }
    if dropped.isEmpty {
      checks.append(.ok("drops", "\(Format.plural(launches.count, "launch", "launches")), and none dropped anything."))
    }
    for (reason, count) in dropped.sorted(by: { $0.key < $1.key }) {
      checks.append(
        .warning(
          "drops", "\(Format.plural(count, "event")) dropped: \(Printable.text(reason)).", Self.advice(for: reason)))
    }
    if aged > 0 {
      checks.append(
        .ok("aged out", "\(Format.plural(aged, "event")) aged out on devices, by their apps' rules: nobody had asked."))
    }
    if lost > 0 {
      checks.append(
        .problem(
          "losses", "\(Format.plural(lost, "event")) cannot be accounted for.",
          "This is a bug. Please report it with the output of: automobile doctor --json"))
    }
    if doubled > 0 {
      checks.append(
        .ok(
          "repeats",
          "\(Format.plural(doubled, "event")) arrived more than once and were stored once: responses got lost on the way."
        ))
    }
  }

  private static func advice(for reason: String) -> String {
    switch reason {
    case "disabled": "The app called setEnabled(false), or recorded before initialize."
    case "shutdown": "The app recorded after shutting the SDK down."
    case "filtered": "Removed by an event processor in the app."
    case "bufferOverflow":
      "Recorded faster than the journal could grow: record less in bursts, or from fewer threads."
    case "evicted":
      "The journal's budget was used up before delivery: raise journalBudget, or let the device reach this collector."
    case "expired": "They were not delivered within 7 days."
    case "diskFull": "The device was low on storage."
    case "rejected": "The collector refused them: see the quarantine here, and set-aside.ndjson on the device."
    case "corrupt": "Their data on the device was damaged."
    case "flushError": "They could not be encoded: check the app's own Codable event types."
    default: "See Documentation/Ledger.md."
    }
  }

  mutating func quarantine() async {
    guard let answer = try? await client.get("/api/quarantine", [("limit", "100")]) else { return }
    let rows = answer["quarantine"]?.array ?? answer["rows"]?.array ?? answer["events"]?.array ?? []
    guard !rows.isEmpty else {
      checks.append(
        hasReceived
          ? .ok("quarantine", "Everything that arrived could be read.") : .empty("quarantine", "Nothing received yet."))
      return
    }
    let reasons = Set(rows.compactMap { $0["reason"]?.string }).prefix(3).map(Printable.text).joined(separator: "; ")
    let number = rows.count == 100 ? "100 or more events" : Format.plural(rows.count, "event")
    checks.append(.warning("quarantine", "\(number) could not be read: \(reasons).", "See them at /api/quarantine."))
  }
}
