extension DemoKeeping {
  /// The sum of all ledgers, in a line.
  func sum(style: Style) -> String {
    func all(_ part: (Launch) -> Int) -> String { Format.count(launches.reduce(0) { $0 + part($1) }) }
    let text =
      "\(all(\.recorded)) recorded = \(all(\.delivered)) here + \(all(\.dropped)) dropped + \(all(\.kept)) on the device "
      + "+ \(all(\.expired)) aged out there"
    return holds ? style.dim(text) : style.red(text + ", and \(all(\.lost)) missing")
  }

  func lines(width: Int?, style: Style) -> [String] {
    var table = Table(columns: [
      .init(title: "LAUNCH"), .init(title: "RECORDED", alignsRight: true), .init(title: "HERE", alignsRight: true),
      .init(title: "DROPPED", alignsRight: true), .init(title: "ON THE DEVICE", alignsRight: true),
      .init(title: "AGED OUT", alignsRight: true, rank: 1), .init(title: "MISSING", alignsRight: true),
      .init(title: "DUPLICATED", alignsRight: true),
    ])
    table.rows = launches.enumerated().map { index, launch in
      [String(index + 1)]
        + [
          launch.recorded, launch.delivered, launch.dropped, launch.kept, launch.expired, launch.lost,
          launch.duplicated,
        ].map(Format.count)
    }
    var lines = table.lines(width: width, style: style) + [""]
    for session in sessions {
      let name = CollectorClient.shortName(of: session.id)
      lines.append(
        Printable.text(
          session.rest.map {
            "session \(name): \(Format.count(session.here)) of \(Format.plural(session.recorded, "event")) came, the rest is \($0)"
          } ?? "session \(name): all \(Format.plural(session.here, "event")) came"))
    }
    lines.append("about \(Format.bytes(savedBytes)) not sent, \(Format.bytes(sentBytes)) sent")
    return lines
  }
}
