import AutoMobileCollector

/// Forwarders as lines.
enum ForwardText {
  /// Of a forwarder, the worst of its lanes.
  static func state(_ lanes: [JSON]) -> String {
    let states = lanes.compactMap { $0["state"]?.string }
    for word in ["paused", "blocked", "waiting", "sending"] where states.contains(word) { return word }
    return "up to date"
  }

  /// What an operator should know of: why it does not send, what was not taken, what is lost.
  static func troubles(_ forwarder: JSON) -> [String] {
    let name = Printable.text(forwarder["name"]?.text ?? "")
    return (forwarder["lanes"]?.array ?? []).flatMap { lane in
      let signal = lane["signal"]?.text ?? ""
      var lines: [String] = []
      if let reason = lane["reason"]?.string {
        let attempts = lane["attempts"]?.int.map { " (\(Format.plural($0, "attempt")))" } ?? ""
        lines.append("\(name), \(signal): \(Printable.text(reason))\(attempts)")
      }
      if let refusal = lane["refusal"]?.string {
        let time = lane["refusedAt"]?.integer.map { " at \(Format.time($0, fraction: false))" } ?? ""
        lines.append("\(name), \(signal): the receiver said\(time): \(Printable.text(refusal))")
      }
      return lines
    }
  }

  static func lines(_ forwarder: JSON, _ style: Style) -> [String] {
    func text(_ name: String) -> String { Printable.text(forwarder[name]?.text ?? "") }
    func list(_ name: String) -> String {
      Printable.text((forwarder[name]?.array ?? []).map(\.text).joined(separator: ", "))
    }
    let types = list("types")
    let headers = list("headers")
    let gzip = forwarder["gzip"]?.bool == true ? ", gzip" : ""
    var lines = [
      "\(style.bold(text("name"))) \(style.dim("· number \(text("id"))"))", "  to       \(text("url"))",
      "  as       \(text("format"))\(gzip)", "  headers  \(headers.isEmpty ? "none" : headers)",
      "  events   \(types.isEmpty ? "of all types" : types), from \(text("level")) upwards, of "
        + (forwarder["bundleId"]?.string.map(Printable.text) ?? "all apps"),
    ]
    if let most = forwarder["mostBehind"]?.int { lines.append("  waiting  \(Format.count(most)) events at most") }
    for lane in forwarder["lanes"]?.array ?? [] {
      func count(_ name: String) -> String { Format.count(lane[name]?.int ?? 0) }
      lines.append(
        "  \((lane["signal"]?.text ?? "").padding(to: 7))  \(state([lane])) · \(count("behind")) behind · \(count("sent")) sent · "
          + "\(count("rejected")) rejected · \(count("expired")) expired · \(count("passedOver")) passed over")
    }
    return lines + troubles(forwarder).map { "  " + $0 }
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
