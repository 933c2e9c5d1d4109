/// What is measured: by the SDK, by the system and by the app itself.
extension TraceStory {
  mutating func custom(_ told: Told) {
    guard let properties = told.members.object("properties") else { return moment(told) }
    switch told.members.text("name") {
    case "\(Measurement.framesName)" where properties.has("frames"): frames(told, properties)
    case "\(Measurement.launchName)" where properties.has("totalMs"): launch(told, properties)
    case "Metrics":
      moment(told)
      metrics(told, properties)
    default: moment(told)
    }
  }

  private mutating func counter(_ name: String, _ told: Told, at time: Int64? = nil, _ series: (String, Double)...) {
    records.counter(name, processes[told.process].id, at: time ?? told.time, series)
  }

  /// A second in which frames came late, or all the time that a screen was shown: both are told of at their end.
  private mutating func frames(_ told: Told, _ properties: TraceMembers) {
    let duration = TraceClock.duration(properties.number("durationMs")) ?? 0
    let start = max(0, told.time - duration)
    let slow = properties.number("slow") ?? 0
    let frozen = properties.number("frozen") ?? 0
    guard properties.text("scope") == "second" else {
      if let fps = properties.number("fps") { counter("Frames per second", told, at: start, ("fps", fps)) }
      let name = properties.name("screen").map { "Frames: \($0)" } ?? "Frames"
      return lasted(told, .visits, name, from: start)
    }
    counter("Late frames", told, at: start, ("slow", slow), ("frozen", frozen))
    counter("Late frames", told, ("slow", 0), ("frozen", 0))
    let name = frozen > 0 ? "\(Self.whole(frozen)) frozen" : "\(Self.whole(slow)) slow"
    _ = slice(told, .frames, name, from: start, to: told.time, more: nil)
  }

  private static func whole(_ value: Double) -> String { Int64(exactly: value.rounded()).map(String.init) ?? "?" }

  private mutating func launch(_ told: Told, _ properties: TraceMembers) {
    let total = TraceClock.duration(properties.number("totalMs")) ?? 0
    let kind = properties.name("kind").map { "App launch (\($0))" } ?? "App launch"
    lasted(told, .launch, kind, from: max(0, told.time - total))
  }

  /// What is told of at its end, and may overlap with anything.
  private mutating func lasted(_ told: Told, _ track: TraceTrack, _ name: String, from start: Int64) {
    let place = place(track, told.process)
    let row = rows.place(from: start, to: told.time)
    records.begin(told.subject(name), place, row: row, at: start)
    records.end(name, told.row.type, place, row: row, at: told.time)
  }

  /// What the app itself counts and measures, for example its memory.
  private mutating func metrics(_ told: Told, _ properties: TraceMembers) {
    let process = processes[told.process].id
    for kind in [properties.object("counters"), properties.object("gauges")] {
      kind?.eachNumber(most: Self.mostSeries) { records.counter($0, process, at: told.time, [("value", $1)]) }
    }
    for kind in [properties.object("recorders"), properties.object("timers")] {
      kind?.eachObject(most: Self.mostSeries) { name, series in
        guard let count = series.number("count"), count > 0, let sum = series.number("sum") else { return }
        records.counter(name, process, at: told.time, [("mean", sum / count)])
      }
    }
  }

  private static let mostSeries = 200
  private static let thermalStates = ["nominal", "fair", "serious", "critical"]

  /// What the system says of the device.
  mutating func state(_ told: Told) {
    guard let details = told.members.object("details") else { return }
    if let level = details.number("level"), (0...100).contains(level) {
      switch told.members.text("state") {
      case "battery": counter("Battery", told, ("%", level))
      case "brightness": counter("Brightness", told, ("%", level))
      default: break
      }
    }
    if let index = details.text("thermalState").flatMap(Self.thermalStates.firstIndex) {
      counter("Thermal state", told, ("0 to 3", Double(index)))
    }
    if let mode = details.text("lowPowerMode") { counter("Low power mode", told, ("on", mode == "true" ? 1 : 0)) }
  }
}
