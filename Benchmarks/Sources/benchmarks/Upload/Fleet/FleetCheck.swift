import AutoMobileJournal
import Foundation

/// Compares what has come of a phone's sessions with what must have, event by event.
struct FleetCheck {
  private(set) var problems: [String] = []
  private(set) var windows = 0
  private(set) var windowEvents = 0

  /// Everything of each session, once.
  mutating func everything(_ recorded: [FleetPhone.Recorded], _ arrived: [LaunchID: FleetArrivals.Launch]) {
    for one in recorded {
      let launch = arrived[one.launch] ?? FleetArrivals.Launch()
      let missing = one.session.times.count { !launch.times.contains(one.begin + $0) }
      if missing > 0 { problems.append("everything: \(missing) events of session \(one.session.number) are missing") }
      if launch.doubled > 0 { problems.append("everything: \(launch.doubled) events came twice") }
    }
  }

  /// The windows of faults, whole; nothing of other sessions; summaries of all.
  mutating func kept(_ recorded: [FleetPhone.Recorded], _ arrived: [LaunchID: FleetArrivals.Launch]) {
    for one in recorded { kept(one, arrived) }
  }

  private mutating func kept(_ one: FleetPhone.Recorded, _ arrived: [LaunchID: FleetArrivals.Launch]) {
    let launch = arrived[one.launch] ?? FleetArrivals.Launch()
    let name = "session \(one.session.number)"
    let told = FleetArrivals.told(of: one.launch, by: arrived)
    if launch.doubled > 0 { problems.append("\(name): \(launch.doubled) events came twice") }
    check(told.filter { $0.type == "session_summary" }.map(\.object), of: one)
    let crashes = told.filter { $0.type == "crash" }
    let expected = one.session.fault == .crash ? 1 : 0
    if crashes.count != expected { problems.append("\(name): \(crashes.count) crashes told, and not \(expected)") }
    let times = one.session.times.map { one.begin + $0 }
    let came = times.filter(launch.times.contains)
    guard let fault = one.session.fault, let window = FleetRule.window(fault) else {
      if launch.others > 0 { problems.append("\(name): \(launch.others) events came that no rule names") }
      return
    }
    guard let middle = fault == .crash ? crashes.first?.time : one.session.faultIndex.map({ times[$0] }) else { return }
    // The events' own times decide, and they are recorded in their order.
    let wanted = times.filter {
      $0 >= middle - one.session.faultDuration - window.before && $0 <= middle + window.after
    }
    windows += 1
    windowEvents += wanted.count
    let missing = Set(wanted).subtracting(came).count
    let unwanted = Set(came).subtracting(wanted).count
    if missing > 0 { problems.append("\(name), \(fault): \(missing) of \(wanted.count) events are missing") }
    if unwanted > 0 { problems.append("\(name), \(fault): \(unwanted) events beside the window came") }
    if wanted.isEmpty { problems.append("\(name), \(fault): a window without events") }
  }

  private mutating func check(_ summaries: [[String: Any]], of one: FleetPhone.Recorded) {
    func number(_ value: Any?) -> Int { (value as? NSNumber)?.intValue ?? -1 }
    let name = "session \(one.session.number)"
    guard let last = summaries.max(by: { number($0["revision"]) < number($1["revision"]) }) else {
      problems.append("\(name): no summary")
      return
    }
    // What is said of another revision is not said again.
    let full = last["sameAs"] == nil ? last : summaries.first { number($0["revision"]) == number(last["sameAs"]) }
    guard let counts = full?["events"] as? [String: Any] else {
      problems.append("\(name): its last summary says that it is like one that never came")
      return
    }
    if number(counts["network_request"]) != one.session.requests {
      problems.append("\(name): its summary counts \(counts), and it had \(one.session.requests) requests")
    }
    let all = counts.values.reduce(0) { $0 + number($1) }
    if all < one.session.times.count { problems.append("\(name): its summary counts \(all) events") }
    if (last["isFinal"] as? NSNumber)?.boolValue != true { problems.append("\(name): its last summary is not final") }
  }
}
