/// What the demo prints at its end.
struct DemoReport {
  let ledger: DemoLedger
  let viewer: String
  /// Over the network; nil: nobody knows.
  var receivedBytes: Int?

  /// The last line of standard output with `--once --json`.
  var json: JSON {
    let launches = ledger.rows.map { row -> JSON in
      [
        "end": .string(row.end), "recorded": JSON(row.recorded), "delivered": JSON(row.delivered),
        "dropped": JSON(row.droppedCount), "lost": JSON(row.lost), "duplicated": JSON(row.duplicated),
      ]
    }
    let replays = ledger.replays.map { replay -> JSON in
      [
        "recorded": JSON(replay.recorded), "shown": JSON(replay.shown), "dropped": JSON(replay.dropped),
        "segments": JSON(replay.segments), "bytes": JSON(replay.bytes),
        "frameBytes": JSON(replay.frameBytes), "fullBytes": JSON(replay.fullBytes), "events": JSON(replay.events),
        "concluded": .bool(replay.isConcluded), "endOffMs": replay.endOff.map { JSON(Int($0)) } ?? .null,
      ]
    }
    let replay: JSON = [
      "sessions": JSON(ledger.replays.count), "frames": JSON(ledger.replays.reduce(0) { $0 + $1.shown }),
      "bytes": JSON(ledger.replays.reduce(0) { $0 + $1.frameBytes }),
      "full_frame_bytes": JSON(ledger.replays.reduce(0) { $0 + $1.fullBytes }),
    ]
    return [
      "launches": .array(launches), "replay": replay, "replays": .array(replays),
      "sessions": JSON(ledger.sessions.count), "events": JSON(ledger.events), "crashes": JSON(ledger.crashes),
      "hangs": JSON(ledger.hangs), "requests": JSON(ledger.requests),
      "receivedBytes": receivedBytes.map { JSON($0) } ?? .null, "viewer": .string(viewer),
    ]
  }

  func lines(width: Int?, style: Style) -> [String] {
    let bad: @Sendable (Style, String) -> String = { style, text in
      text.contains { "123456789".contains($0) } ? style.red(text) : text
    }
    var table = Table(columns: [
      .init(title: "LAUNCH"), .init(title: "ENDED BY"), .init(title: "RECORDED", alignsRight: true),
      .init(title: "DELIVERED", alignsRight: true), .init(title: "DROPPED", alignsRight: true),
      .init(title: "LOST", alignsRight: true, paint: bad), .init(title: "DUPLICATED", alignsRight: true, paint: bad),
      .init(title: "CALLS RETURNED", alignsRight: true, rank: 1),
    ])
    table.rows = ledger.rows.enumerated().map { index, row in
      [String(index + 1), row.end]
        + [row.recorded, row.delivered, row.droppedCount, row.lost, row.duplicated, row.returned].map(Format.count)
    }
    var lines = table.lines(width: width, style: style)
    if ledger.hasScreens { lines += [""] + replayLines(width: width, style: style) }
    for (index, row) in ledger.rows.enumerated() {
      for (reason, count) in row.dropped.sorted(by: { $0.key < $1.key }) {
        lines.append(style.yellow("launch \(index + 1) dropped \(Format.count(count)): \(Printable.text(reason))"))
      }
      if row.disagrees {
        lines.append(
          style.red(
            "launch \(index + 1): \(Format.plural(row.returned, "call")) returned, by the app's independent count, "
              + "but \(Format.count(row.recorded)) were recorded"))
      }
      if !row.isSettled { lines.append(style.red("launch \(index + 1) was not delivered to its end in time")) }
    }
    if ledger.rows.count < 3 { lines.append(style.red("only \(ledger.rows.count) of 3 launches arrived")) }
    if ledger.crashes != 1 {
      lines.append(style.red("one launch crashed, and \(ledger.crashes) crashes were reported"))
    }
    if ledger.hangs < 1 { lines.append(style.red("the main thread was blocked, and no hang was reported")) }
    for stray in ledger.strays { lines.append(style.red("events of \(Printable.text(stray)) belong to no session")) }
    lines.append("")
    lines.append(
      ledger.holds ? style.green("Nothing lost, nothing duplicated.") : style.red("The ledger does not add up."))
    return lines
  }

  private func replayLines(width: Int?, style: Style) -> [String] {
    var table = Table(columns: [
      .init(title: "REPLAY"), .init(title: "FRAMES", alignsRight: true), .init(title: "SHOWN", alignsRight: true),
      .init(title: "DROPPED", alignsRight: true), .init(title: "SEGMENTS", alignsRight: true),
      .init(title: "KB", alignsRight: true), .init(title: "OF FULL FRAMES", alignsRight: true, rank: 2),
      .init(title: "EVENTS", alignsRight: true),
      .init(title: "END OFF BY", alignsRight: true, rank: 1),
    ])
    table.rows = ledger.replays.enumerated().map { index, replay in
      [String(index + 1)]
        + [replay.recorded, replay.shown, replay.dropped, replay.segments, replay.bytes / 1000].map(Format.count)
        + [replay.fullBytes > 0 ? "\(replay.frameBytes * 100 / replay.fullBytes) %" : ""]
        + [Format.count(replay.events)] + [replay.endOff.map { "\(Format.count(Int($0))) ms" } ?? "no end"]
    }
    return table.lines(width: width, style: style)
      + ledger.replays.enumerated().flatMap { index, replay in
        replay.complaints.map { style.red("replay \(index + 1): \($0)") }
      }
  }
}
