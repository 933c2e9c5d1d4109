import Foundation
import NIOCore

/// Tells a session's events, as they come in the order of time, as a trace: what row each is in, and how long it lasts.
///
/// It holds what has begun and not ended, and nothing else, so that a session of any length passes through.
struct TraceStory {
  var records = TraceRecords()
  var rows = TraceRows()
  let clock: TraceClock
  /// The session's last event.
  let last: Int64

  private let name: String
  private let maximumDepth: Int
  private let launches: [TraceLaunch]
  var processes: [TraceProcess]
  private var byRow: [Int64: Int] = [:]
  private var byName: [String: Int] = [:]
  /// Begins of spans whose ends have not come.
  private var openSpans: [Data: OpenSpan] = [:]
  private var profiles: Int64 = 0

  /// A span of which only the begin has been told.
  private struct OpenSpan {
    var id: Int64
    var name: String
    var process: Int
    var time: Int64
  }

  /// Beyond, they are told as ending where they begin.
  private static let mostOpen = 10_000

  /// An event, where it is to be told.
  struct Told {
    var row: OutgoingRow
    var members: TraceMembers
    var process: Int
    /// In the trace's microseconds.
    var time: Int64

    func subject(_ name: String?, _ more: ((inout JSONOutput) -> Void)? = nil) -> TraceRecords.Subject {
      let category = row.type.isEmpty ? "other" : TraceMembers.name(row.type)
      return TraceRecords.Subject(
        name: name ?? category, category: category, id: row.id, members: members, more: more)
    }
  }

  init(_ session: OutgoingSession, _ launches: [TraceLaunch], from start: Int64, maximumDepth: Int) {
    clock = TraceClock(start: start)
    last = clock.microseconds(session.last ?? start)
    name = TraceMembers.name([session.bundleId ?? "app", session.version].compactMap { $0 }.joined(separator: " "))
    self.maximumDepth = maximumDepth
    self.launches = launches
    processes = launches.isEmpty ? [TraceProcess(id: 1)] : []
    for (index, launch) in launches.enumerated() {
      processes.append(TraceProcess(id: Int64(index + 1)))
      byRow[launch.row] = index
      byName[launch.given] = index
    }
  }

  mutating func take() -> ByteBuffer { records.take() }

  // MARK: One event

  /// - Parameter report: of a hang, with the names of its functions.
  mutating func add(_ row: OutgoingRow, _ report: CrashReport?) {
    row.payload.withUnsafeBytes { bytes in
      let members = TraceMembers(bytes, maximumDepth: maximumDepth)
      let told = Told(
        row: row, members: members, process: process(of: row, members), time: clock.microseconds(row.timestamp))
      processes[told.process].last = max(processes[told.process].last, told.time)
      writeEnds(until: told.time)
      switch row.type {
      case "navigation": screen(told)
      case "network_request": request(told)
      case "span": span(told)
      case "hang": hang(told, report)
      case "custom": custom(told)
      default:
        if row.type == "lifecycle" { state(told) }
        moment(told)
      }
    }
  }

  /// What goes on is ended where its launch was last seen.
  mutating func finish() {
    let open = openSpans.sorted { ($0.value.time, $0.value.id) < ($1.value.time, $1.value.id) }
    for (_, span) in open { lasts(span, until: max(span.time, end(of: span.process))) }
    writeEnds(until: nil)
    for index in processes.indices { endScreen(of: index, at: processes[index].last) }
    // A trace without anything is none to some readers.
    if processes.allSatisfy({ !$0.isNamed }) { nameProcess(0) }
  }

  // MARK: Rows

  /// Where an event belongs: the launch that it happened in, which need not be the one that tells.
  private mutating func process(of row: OutgoingRow, _ members: TraceMembers) -> Int {
    if let index = members.text("ofLaunch").flatMap({ byName[$0] }) { return named(index) }
    if let index = byRow[row.launch] { return named(index) }
    // Without launches the first process is everybody's.
    guard !launches.isEmpty, processes.count < TraceLaunch.most else { return named(0) }
    processes.append(TraceProcess(id: Int64(processes.count + 1)))
    byRow[row.launch] = processes.count - 1
    return named(processes.count - 1)
  }

  private mutating func named(_ index: Int) -> Int {
    if !processes[index].isNamed { nameProcess(index) }
    return index
  }

  private mutating func nameProcess(_ index: Int) {
    processes[index].isNamed = true
    let id = processes[index].id
    records.processName(id, launches.count > 1 ? "\(name), launch \(id)" : name, order: id)
    guard launches.indices.contains(index), let memory = launches[index].memory else { return }
    let time = min(clock.microseconds(memory.at), last)
    records.counter("Memory", id, at: time, [("MB", Double(memory.used))])
  }

  /// A row, which is named when it is first used.
  mutating func place(_ track: TraceTrack, _ process: Int) -> TraceRecords.Place {
    let place = TraceRecords.Place(process: processes[process].id, track: track)
    if processes[process].tracks.insert(track).inserted { records.trackName(place) }
    return place
  }

  /// When a launch was last seen, as far as it is known.
  private func end(of process: Int) -> Int64 {
    let known = launches.indices.contains(process) ? launches[process].last : nil
    return max(processes[process].last, known.map { min(clock.microseconds($0), last) } ?? last)
  }

  private mutating func writeEnds(until time: Int64?) {
    while let end = rows.next(until: rows.isFull ? nil : time) {
      records.end(end.name, end.category, end.place, row: end.row, at: end.time)
    }
  }

  // MARK: What happens

  mutating func moment(_ told: Told) {
    records.moment(
      told.subject(TraceTitles.moment(told.row.type, told.members)),
      place(TraceTrack(moment: told.row.type), told.process), at: told.time)
  }

  /// A screen is there until the next one is.
  private mutating func screen(_ told: Told) {
    endScreen(of: told.process, at: told.time)
    processes[told.process].screen = TraceRecords.begin(told.subject(told.members.name("destination")), at: told.time)
  }

  private mutating func endScreen(of process: Int, at time: Int64) {
    guard let screen = processes[process].screen else { return }
    records.end(screen, place(.screens, process), at: time)
  }

  private mutating func request(_ told: Told) {
    let duration = TraceClock.duration(told.members.number("durationMs"))
    // Of one that never ended nobody knows how long it took, only that its launch did not live to see it.
    let end = duration.map { TraceClock.end(told.time, $0) } ?? max(told.time, end(of: told.process))
    let name = TraceTitles.request(told.members)
    let place = place(.requests, told.process)
    let row = rows.place(from: told.time, to: end)
    records.begin(told.subject(name), place, row: row, at: told.time)
    rows.add(row, until: end, name, told.row.type, place)
  }

  /// The slice of something that must not overlap with what was there before: clocks that were set make it look so.
  mutating func slice(
    _ told: Told, _ track: TraceTrack, _ name: String, from start: Int64, to end: Int64,
    more: ((inout JSONOutput) -> Void)?
  ) -> (start: Int64, end: Int64) {
    let begin = max(start, processes[told.process].ends[track] ?? 0)
    let end = max(begin, end)
    processes[told.process].ends[track] = end
    records.slice(
      told.subject(name) {
        if begin != start { $0.member("clipped", true) }
        more?(&$0)
      }, place(track, told.process), at: begin, for: end - begin)
    return (begin, end)
  }

  private mutating func hang(_ told: Told, _ report: CrashReport?) {
    let duration = TraceClock.duration(told.members.number("durationMs") ?? report?.durationMs) ?? 0
    let (start, end) = slice(told, .hangs, "Hang", from: told.time, to: TraceClock.end(told.time, duration)) { json in
      if let report { HangSamples.list(report, to: &json) }
    }
    guard let samples = report.flatMap({ HangSamples($0, from: start, to: end) }) else { return }
    profiles += 1
    records.profile(samples, place(.hangs, told.process), number: profiles)
  }

  // MARK: Spans

  private mutating func span(_ told: Told) {
    let process = processes[told.process].id
    let key = TraceTitles.span(told.members, told.row, process: process)
    let name = told.members.name("name") ?? "span"
    guard let duration = TraceClock.duration(told.members.number("durationMs")) else {
      let span = OpenSpan(id: told.row.id, name: name, process: told.process, time: told.time)
      if openSpans.count >= Self.mostOpen { return lasts(span, until: told.time) }
      openSpans[key] = span
      return
    }
    openSpans[key] = nil
    let end = TraceClock.end(told.time, duration)
    let place = place(.spans, told.process)
    let row = rows.place(
      from: told.time, to: end, named: key, within: TraceTitles.parent(told.members, process: process))
    records.begin(told.subject(name), place, row: row, at: told.time)
    rows.add(row, until: end, name, told.row.type, place, named: key)
  }

  private mutating func lasts(_ span: OpenSpan, until end: Int64) {
    let place = place(.spans, span.process)
    let row = rows.place(from: span.time, to: end)
    let subject = TraceRecords.Subject(name: span.name, category: "span", id: span.id) { $0.member("unfinished", true) }
    records.begin(subject, place, row: row, at: span.time)
    records.end(span.name, "span", place, row: row, at: end)
  }
}
