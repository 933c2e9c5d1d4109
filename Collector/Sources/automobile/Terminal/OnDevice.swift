import AutoMobileCollector

/// Where the events of a session are that did not come: as the collector's answer has it.
struct OnDevice {
  /// All that was recorded: what is here, or what the device says, whichever is more.
  let events: Int
  let errors: Int
  /// "on the device until 3 Dec 14:02", "no longer on the device"; nil where everything is here.
  let mark: String?
  /// The same with numbers.
  let sentence: String?
  /// "memory: 412 MB at most, 38 MB left at least, 2 warnings"; nil where nobody looked.
  let memory: String?

  init(_ session: JSON) {
    let summary = session["summary"]
    let here = session["events"]?.int ?? 0
    events = max(here, summary?["events"]?.int ?? 0)
    errors = max(session["errors"]?.int ?? 0, summary?["errors"]?.int ?? 0)
    memory = Self.memory(summary)
    guard let missing = summary?["missing"]?.int, missing > 0 else {
      (mark, sentence) = (nil, nil)
      return
    }
    let isGone = summary?["place"]?.string == "gone"
    let until = summary?["until"]?.integer.map { " until \(Format.time($0, fraction: false))" } ?? ""
    let place = isGone ? "no longer on the device" : "on the device\(until)"
    mark = place
    sentence =
      "\(Format.count(missing)) of \(Format.plural(events, "event")) "
      + (isGone ? "did not come, and are no longer on the device" : "\(missing == 1 ? "is" : "are") \(place)")
  }

  private static func memory(_ summary: JSON?) -> String? {
    let warnings = summary?["memoryWarnings"]?.int ?? 0
    let parts = [
      summary?["memoryPeak"]?.int.map { "\(Format.bytes($0)) at most" },
      summary?["memoryLeft"]?.int.map { "\(Format.bytes($0)) left at least" },
      warnings > 0 ? Format.plural(warnings, "warning") : nil,
    ].compactMap(\.self)
    return parts.isEmpty ? nil : "memory: " + parts.joined(separator: ", ")
  }

  /// "9 of 120"; the number alone where everything is here.
  static func events(of session: JSON) -> String {
    let own = OnDevice(session)
    let here = session["events"]?.int ?? 0
    return own.mark == nil ? Format.count(here) : "\(Format.count(here)) of \(Format.count(own.events))"
  }
}
