/// What rules would have sent, as a terminal shows it.
enum DryRunText {
  static func lines(_ run: JSON, width: Int?, style: Style) -> [String] {
    var lines = [summary(run, style)] + notes(run).map { style.dim($0) }
    let rules = run["rules"]?.array ?? []
    if !rules.isEmpty {
      var table = Table(columns: [
        .init(title: "RULE", minimum: 10, paint: { $0.cyan($1) }), .init(title: "FIRED", alignsRight: true),
        .init(title: "OVER LIMIT", alignsRight: true, rank: 3), .init(title: "SESSIONS", alignsRight: true, rank: 2),
        .init(title: "DEVICES", alignsRight: true, rank: 1), .init(title: "EVENTS", alignsRight: true),
        .init(title: "BYTES", alignsRight: true),
      ])
      table.rows = rules.map { rule in
        [
          Printable.text(rule["name"]?.text ?? "–"), count(rule, "fired"), count(rule, "limited"),
          count(rule, "sessions"), count(rule, "devices"), count(rule, "events"),
          Format.bytes(rule["bytes"]?.int ?? 0),
        ]
      }
      lines += [""] + table.lines(width: width, style: style)
    }
    let problems = (run["problems"]?.array ?? []).compactMap { $0["reason"]?.string }
    if !problems.isEmpty { lines += [""] + problems.map { "\(style.red("✗")) \(Printable.text($0))" } }
    return lines
  }

  private static func summary(_ run: JSON, _ style: Style) -> String {
    let (total, all) = (run["total"]?["bytes"]?.int ?? 0, run["everything"]?["bytes"]?.int ?? 0)
    guard all > 0 else { return "Nothing is stored of the last seven days." }
    let share = style.bold(Format.share(total, of: all))
    return "\(share) of what is stored of the last seven days would have been sent: "
      + "\(Format.bytes(total)) of \(Format.bytes(all)), \(count(run["total"], "events")) events of "
      + "\(Format.plural(run["total"]?["sessions"]?.int ?? 0, "session"))"
  }

  private static func notes(_ run: JSON) -> [String] {
    var notes: [String] = []
    let looked = run["looked"]
    notes.append(
      "Looked at: \(Format.plural(looked?["sessions"]?.int ?? 0, "session")) of "
        + "\(Format.plural(looked?["devices"]?.int ?? 0, "device")).")
    if run["partial"]?.bool == true {
      notes.append("Not all was looked at, as there is too much: the devices heard of last were.")
    }
    let (sample, compressed) = (run["compression"]?["bytes"]?.int ?? 0, run["compression"]?["compressed"]?.int ?? 0)
    if sample > 0, compressed > 0 {
      let wire = Double(run["total"]?["bytes"]?.int ?? 0) * Double(compressed) / Double(sample)
      notes.append(
        "Bytes are those of the events' JSON. Compressed, it would have been about \(Format.bytes(Int(wire))).")
    }
    let summaries = looked?["summaries"]?.int ?? 0
    notes.append(
      "What stayed on devices is not in it"
        + (summaries > 0 ? ": of \(Format.plural(summaries, "session")) only a summary came." : "."))
    return notes
  }

  private static func count(_ of: JSON?, _ name: String) -> String { Format.count(of?[name]?.int ?? 0) }
}
