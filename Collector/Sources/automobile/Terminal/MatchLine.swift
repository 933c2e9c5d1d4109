import AutoMobileCollector

/// What of a row was found that the row itself does not show, on a line of its own: the event's number, when it was, and the
/// words, marked.
enum MatchLine {
  /// Of a session, from whose start the time counts.
  static func text(_ session: JSON, from start: Int64, _ marks: [String], _ console: Console) -> String? {
    guard let match = session["match"] else { return nil }
    let after = (match["timestamp"]?.integer ?? 0).subtractingClamped(start)
    return line([match["event"]?.text, Format.offset(milliseconds: after), match["type"]?.text], match, marks, console)
  }

  /// Of an issue: a report of it.
  static func text(_ issue: JSON, now: Int64, _ marks: [String], _ console: Console) -> String? {
    guard let match = issue["match"] else { return nil }
    let time = Format.ago(match["timestamp"]?.integer ?? 0, now: now)
    return line([match["event"]?.text, time, match["field"]?.text], match, marks, console)
  }

  /// Of a request, whose line has its number and its time.
  static func text(_ request: JSON, _ marks: [String], _ console: Console) -> String? {
    guard let match = request["match"] else { return nil }
    return line([match["field"]?.text], match, marks, console)
  }

  /// Of an event, whose line has its number and its time; nil when the line shows all that was found.
  static func text(_ event: JSON, notIn line: String, _ marks: [String], _ console: Console) -> String? {
    let rest = marks.filter { !Style.holds(line, $0) }
    guard !rest.isEmpty, let payload = event["payload"], let found = SearchMarks.found(rest, in: payload.line) else {
      return nil
    }
    return self.line([found.field], ["text": .string(found.text)], marks, console)
  }

  private static func line(
    _ lead: [String?], _ match: JSON, _ marks: [String], _ console: Console
  ) -> String? {
    guard let text = match["text"]?.string, !text.isEmpty else { return nil }
    let lead = "          " + lead.compactMap { $0.map(Printable.text) }.map { $0 + "  " }.joined()
    let room = console.width.map { max(10, $0 - DisplayWidth.of(lead)) } ?? Int.max
    let shown = Printable.text(text)
    let line = console.style.dim(lead) + (room == Int.max ? shown : DisplayWidth.truncated(shown, to: room))
    return console.style.marked(line, marks)
  }
}
