/// The answer of `/api/health` for a terminal: a line for each question, then a table by version.
struct HealthText {
  private let health: JSON
  /// The answer of `/api/health/savings`.
  private let saved: JSON?
  private let console: Console
  private var style: Style { console.style }

  init(_ health: JSON, saved: JSON? = nil, _ console: Console) {
    self.health = health
    self.saved = saved
    self.console = console
  }

  func show() {
    line("sessions", sessions)
    line("ends", ends)
    line("launch time", launchTime)
    line("hangs", hangs)
    line("frames", frames)
    line("requests", requests)
    line("taps", taps)
    line("memory", memory)
    line("recorder", recorder)
    if let savings { line("bytes saved", savings) }
    let rows = versions()
    guard !rows.isEmpty else { return }
    var table = Table(columns: [
      .init(title: "APP", minimum: 8, rank: 2), .init(title: "VERSION", minimum: 6, paint: { $0.cyan($1) }),
      .init(title: "SESSIONS", alignsRight: true), .init(title: "CRASH-FREE", alignsRight: true),
      .init(title: "LAUNCH P50", alignsRight: true, rank: 3), .init(title: "P90", alignsRight: true, rank: 4),
      .init(title: "HANGS", alignsRight: true, rank: 1), .init(title: "SLOW FRAMES", alignsRight: true, rank: 5),
      .init(title: "MEMORY P90", alignsRight: true, rank: 6), .init(title: "DROPPED", alignsRight: true, rank: 7),
    ])
    table.rows = rows
    console.out()
    for line in table.lines(width: console.width, style: style) { console.out(line) }
  }

  /// Cut where it would wrap: what matters stands in front.
  private func line(_ name: String, _ text: String) {
    let label = name.padding(toLength: 12, withPad: " ", startingAt: 0)
    let safe = Printable.text(text)
    let room = console.width.map { max(8, $0 - 13) }
    console.out("\(style.bold(label)) \(room.map { DisplayWidth.truncated(safe, to: $0) } ?? safe)")
  }

  private func sum(_ value: JSON?) -> Int { (value?.object ?? [:]).values.reduce(0) { $0 + ($1.int ?? 0) } }

  private func milliseconds(_ value: JSON?) -> String {
    value?.number.map { Format.duration(milliseconds: $0) } ?? "–"
  }

  // MARK: Lines

  private var sessions: String {
    let count = health["sessions"]?["count"]?.int ?? 0
    let crashed = health["sessions"]?["crashed"]?.int ?? 0
    guard count > 0 else { return "none in this period" }
    let users = health["sessions"]?["users"]
    let known = users?["count"]?.int ?? 0
    return
      "\(Format.rate(count - crashed, of: count)) crash-free · \(Format.plural(count, "session"))\(bySummary(health["sessions"])) · "
      + "\(Format.count(crashed)) crashed"
      + (known > 0
        ? " · users \(Format.rate(known - (users?["crashed"]?.int ?? 0), of: known)) crash-free · \(Format.plural(known, "user"))"
        : "")
  }

  /// Where some of what is counted is on devices.
  private func bySummary(_ part: JSON?) -> String {
    guard let count = part?["bySummary"]?.int, count > 0 else { return "" }
    return ", \(Format.count(count)) by summary"
  }

  /// Of sessions that are told by summaries, some things are counted as far as they came.
  private func ofWhatCame(_ part: JSON?) -> String {
    guard let count = part?["sessionsBySummary"]?.int, count > 0 else { return "" }
    return " · without what is on the devices of \(Format.plural(count, "session"))"
  }

  private var savings: String? {
    guard let saved, let kept = saved["keptEvents"]?.int, kept > 0 else { return nil }
    func size(_ name: String) -> String { Format.bytes(saved[name]?.int ?? 0) }
    return
      "about \(size("savedBytes")) not sent, \(size("sentBytes")) sent · \(Format.plural(kept, "event")) kept on devices"
  }

  private var ends: String {
    let verdicts = health["ends"]?["verdicts"]?.object ?? [:]
    guard !verdicts.isEmpty else { return "none known yet" }
    return verdicts.sorted { ($0.value.int ?? 0, $1.key) > ($1.value.int ?? 0, $0.key) }
      .map { "\(Format.count($0.value.int ?? 0)) \(LaunchEndText.verdict($0.key) ?? $0.key)" }.joined(separator: " · ")
  }

  private var launchTime: String {
    let times = health["launchTime"]
    guard times?["count"]?.int ?? 0 > 0 else { return "not recorded" }
    return
      "median \(milliseconds(times?["p50"])) · p90 \(milliseconds(times?["p90"])) · p99 \(milliseconds(times?["p99"]))"
      + " · \(Format.plural(times?["count"]?.int ?? 0, "launch", "launches"))\(bySummary(times))"
  }

  private var hangs: String {
    let hangs = health["hangs"]
    guard let count = hangs?["count"]?.int, count > 0 else { return "none" + ofWhatCame(hangs) }
    return "\(Format.plural(count, "hang")) in \(Format.plural(hangs?["sessions"]?.int ?? 0, "session"))"
      + " · longest \(milliseconds(hangs?["longestMs"])) · total \(milliseconds(hangs?["totalMs"]))\(ofWhatCame(hangs))"
  }

  private var frames: String {
    let frames = health["frames"]
    guard let count = frames?["frames"]?.int, count > 0 else { return "not measured" + ofWhatCame(frames) }
    let worst = frames?["screens"]?.array?.first?["screen"]?.text
    return "\(Format.rate(frames?["slow"]?.int ?? 0, of: count)) slow · \(Format.plural(count, "frame")) · "
      + "\(Format.count(frames?["frozen"]?.int ?? 0)) frozen · worst \(milliseconds(frames?["worstMs"]))"
      + (worst.map { " · worst screen \($0)" } ?? "") + ofWhatCame(frames)
  }

  private var requests: String {
    let requests = health["requests"]
    guard let count = requests?["count"]?.int, count > 0 else { return "none" }
    func place(_ route: JSON) -> String {
      "\(route["method"]?.text ?? "") \(route["host"]?.text ?? "")\(route["route"]?.text ?? "")"
    }
    let failing = requests?["failing"]?.array?.first.map {
      " · most failures \(place($0)) \(Format.rateOfSample($0["failed"]?.int ?? 0, of: $0["count"]?.int ?? 0))"
    }
    let slowest = requests?["slowest"]?.array?.first.map { " · slowest \(place($0)) p95 \(milliseconds($0["p95Ms"]))" }
    return
      "\(Format.rate(requests?["failed"]?.int ?? 0, of: count)) failed · \(Format.plural(count, "request"))\(bySummary(requests))\(statuses)"
      + (failing ?? "") + (slowest ?? "")
  }

  private var statuses: String {
    let counts = (health["requests"]?["statuses"]?.object ?? [:]).sorted { $0.key < $1.key }
    return counts.isEmpty
      ? ""
      : " · "
        + counts.map { "\($0.key == "none" ? "no answer" : $0.key) \(Format.count($0.value.int ?? 0))" }.joined(
          separator: ", ")
  }

  private var taps: String {
    let taps = health["taps"]
    let (rage, dead) = (taps?["rage"]?.int ?? 0, taps?["dead"]?.int ?? 0)
    guard rage + dead > 0 else { return "no rage or dead taps" + ofWhatCame(taps) }
    let worst = taps?["places"]?.array?.first.map { place in
      let names = [place["element"]?.text, place["screen"]?.text].compactMap { $0 }.filter { !$0.isEmpty }
      return " · worst " + names.joined(separator: " on ")
    }
    return "\(Format.plural(rage, "rage tap")) · \(Format.plural(dead, "dead tap"))" + (worst ?? "") + ofWhatCame(taps)
  }

  private var memory: String {
    let memory = health["ends"]?["memoryMB"]
    guard memory?["count"]?.int ?? 0 > 0 else { return "not known" }
    func megabytes(_ name: String) -> String { "\(Int((memory?[name]?.number ?? 0).rounded())) MB" }
    return "median \(megabytes("p50")) · p90 \(megabytes("p90")) · max \(megabytes("max"))"
  }

  private var recorder: String {
    let recorder = health["recorder"]
    let reasons = (recorder?["dropped"]?.object ?? [:]).filter { $0.value.int ?? 0 > 0 }
      .sorted { $0.key < $1.key }.map { " \($0.key) \(Format.count($0.value.int ?? 0))" }.joined(separator: ",")
    let lost = recorder?["lost"]?.int ?? 0
    return
      "\(Format.count(recorder?["recorded"]?.int ?? 0)) recorded · \(Format.count(recorder?["stored"]?.int ?? 0)) stored"
      + " · \(Format.count(sum(recorder?["dropped"]))) dropped" + (reasons.isEmpty ? "" : " (\(reasons.dropFirst()))")
      + ((recorder?["kept"]?.int).map { $0 > 0 ? " · \(Format.count($0)) on devices" : "" } ?? "")
      + ((recorder?["agedOut"]?.int).map { $0 > 0 ? " · \(Format.count($0)) aged out there" : "" } ?? "")
      + " · \(Format.count(lost)) lost"
  }

  // MARK: By version

  private func versions() -> [[String]] {
    func key(_ row: JSON) -> [String] { [row["bundleId"]?.text ?? "", row["version"]?.text ?? ""] }
    func all(_ part: String) -> [[String]: JSON] {
      Dictionary((health[part]?["versions"]?.array ?? []).map { (key($0), $0) }) { first, _ in first }
    }
    let sessions = health["sessions"]?["versions"]?.array ?? []
    let (launches, hangs, frames) = (all("launchTime"), all("hangs"), all("frames"))
    let (ends, recorder) = (all("ends"), all("recorder"))
    let rows = sessions.map { row in
      let key = key(row)
      let count = row["count"]?.int ?? 0
      let memory = ends[key]?["memoryMB"]?["p90"]?.number
      let drawn = frames[key]?["frames"]?.int ?? 0
      return [
        row["bundleId"]?.text ?? "–", row["version"]?.text ?? "–", Format.count(count),
        Format.rate(count - (row["crashed"]?.int ?? 0), of: count), milliseconds(launches[key]?["p50"]),
        milliseconds(launches[key]?["p90"]), Format.count(hangs[key]?["count"]?.int ?? 0),
        Format.rateOfSample(frames[key]?["slow"]?.int ?? 0, of: drawn),
        memory.map { "\(Int($0.rounded())) MB" } ?? "–", Format.count(sum(recorder[key]?["dropped"])),
      ].map(Printable.text)
    }
    return rows + (others().map { [$0] } ?? [])
  }

  /// What was counted under versions that are not listed.
  private func others() -> [String]? {
    guard let row = health["sessions"]?["otherVersions"], let names = row["names"]?.int else { return nil }
    func other(_ part: String) -> JSON? { health[part]?["otherVersions"] }
    let count = row["count"]?.int ?? 0
    let frames = other("frames")
    return [
      "–", Format.plural(names, "other"), Format.count(count),
      Format.rate(count - (row["crashed"]?.int ?? 0), of: count),
      milliseconds(other("launchTime")?["p50"]), milliseconds(other("launchTime")?["p90"]),
      Format.count(other("hangs")?["count"]?.int ?? 0),
      Format.rateOfSample(frames?["slow"]?.int ?? 0, of: frames?["frames"]?.int ?? 0), "–",
      Format.count(sum(other("recorder")?["dropped"])),
    ]
  }
}
