import AutoMobileCollector

/// Alerts as lines.
enum AlertText {
  /// What came of a test.
  static func outcome(_ answer: JSON, _ what: String, _ console: Console) -> String {
    let style = console.style
    if answer["sent"]?.bool == true { return "\(style.green("✓")) \(Printable.text(what)): sent" }
    return "\(style.red("✗")) \(Printable.text(what)): \(Printable.text(answer["reason"]?.text ?? "not sent"))"
  }

  /// An entry of the log, and below it what became of its messages.
  static func lines(_ entry: JSON, _ console: Console) -> [String] {
    let style = console.style
    let time = style.dim(Format.time(entry["at"]?.integer ?? 0, fraction: false))
    let title = Printable.text(entry["title"]?.text ?? "")
    let word =
      switch entry["event"]?.string {
      case "resolved": style.green("over ")
      case "test": style.dim("test ")
      default: entry["severity"]?.string == "critical" ? style.red("alert") : style.yellow("alert")
      }
    var lines = ["\(time)  \(word)  \(style.bold(title))  \(style.dim(Printable.text(entry["ruleName"]?.text ?? "")))"]
    if let text = entry["text"]?.text { lines.append("    " + Printable.text(text)) }
    if let held = entry["held"]?.text { lines.append("    " + style.dim("not sent: \(Printable.text(held))")) }
    for message in entry["messages"]?.array ?? [] {
      let name = Printable.text(message["channelName"]?.text ?? "a channel that was removed")
      let reason = message["reason"]?.string.map { ": " + Printable.text($0) } ?? ""
      switch message["state"]?.string {
      case "sent": lines.append("    \(style.green("✓")) \(name)")
      case "failed": lines.append("    \(style.red("✗")) \(name)\(reason)")
      default:
        let attempts = message["attempts"]?.int ?? 0
        let due = message["due"]?.integer.map { ", again at \(Format.time($0, date: false, fraction: false))" } ?? ""
        lines.append("    … \(name): \(Format.plural(attempts, "attempt"))\(due)\(reason)")
      }
    }
    return lines
  }
}
