/// The section `upload` in words.
enum UploadRulesText {
  /// The section of a file: it is one, or a document has one.
  ///
  /// - Throws: ``Failure`` when there is none.
  static func section(_ file: JSON) throws -> JSON {
    if let section = file["upload"] { return section }
    let members = ["schema", "mode", "keepDays", "bytesPerDay", "cellularBytesPerDay", "rules", "asks"]
    guard let given = file.object, given.keys.contains(where: members.contains) else {
      throw Failure(
        kind: .unavailable, message: "There are no rules in this file.",
        advice: #"Give a section {"mode":"whenTriggered","rules":[…]}, or a document with one as its member "upload"."#)
    }
    return file
  }

  static func mode(_ section: JSON) -> String {
    switch section["mode"]?.string {
    case "everything"?: "everything is sent"
    case "whenTriggered"?: "what rules name is sent, the rest stays on devices"
    default: "as the app itself is configured"
    }
  }

  static func budgets(_ section: JSON) -> [String] {
    var facts: [String] = []
    if let days = section["keepDays"]?.int { facts.append("kept for \(Format.plural(days, "day"))") }
    if let bytes = section["bytesPerDay"]?.int, bytes >= 0 { facts.append("at most \(Format.bytes(bytes)) a day") }
    if let bytes = section["cellularBytesPerDay"]?.int, bytes >= 0 {
      facts.append("\(Format.bytes(bytes)) of it over cellular networks")
    }
    return facts
  }

  static func span(_ send: JSON) -> String {
    func minutes(_ name: String, _ standard: Double) -> String {
      Format.duration(milliseconds: (send[name]?.number ?? standard) * 60_000)
    }
    let left = [("replay", "the screen"), ("bodies", "bodies of requests")].filter { send[$0.0]?.bool == false }
    return
      (["\(minutes("minutesBefore", 2)) before, \(minutes("minutesAfter", 0.5)) after"]
      + left.map { "without \($0.1)" }).joined(separator: ", ")
  }

  static func trigger(_ when: JSON) -> String {
    guard let (kind, content) = when.object?.first else { return when.line }
    func atLeast(_ name: String) -> String { Format.duration(milliseconds: content[name]?.number ?? 0) }
    switch kind {
    case "crash": return "a crash"
    case "unexpectedEnd": return "the launch before ended unexpectedly"
    case "handledFailure": return "a handled failure"
    case "rageTap": return "a rage tap"
    case "deadTap": return "a dead tap"
    case "capture": return "the app asks for it"
    case "hang": return "a hang of \(atLeast("atLeastMs")) or more"
    case "slowLaunch": return "a launch of \(atLeast("atLeastMs")) or more"
    case "frozenFrames": return "\(Format.plural(content["atLeast"]?.int ?? 1, "frozen frame")) or more"
    case "sessions": return "\(share(content["fraction"]?.number ?? 0)) of sessions"
    case "log":
      return words(["a log at", content["level"]?.text, "or above", content["tag"].map { "tagged \($0.text)" }])
    case "request": return request(content)
    case "event": return event(content)
    default: return when.line
    }
  }

  private static func share(_ fraction: Double) -> String {
    let percent = fraction * 100
    return percent == percent.rounded() ? "\(Int(percent)) %" : "\(percent) %"
  }

  private static func request(_ request: JSON) -> String {
    let failed = request["failed"]?.bool.map { $0 ? "that failed" : "that did not fail" }
    return words([
      "a request", request["method"]?.text, request["host"].map { "to \($0.text)" }, request["path"]?.text,
      request["status"].map { "with status \($0.text)" }, failed,
      request["atLeastMs"]?.number.map { "of \(Format.duration(milliseconds: $0)) or more" },
    ])
  }

  private static func event(_ event: JSON) -> String {
    let conditions = (event["where"]?.array ?? []).map { condition in
      let test = condition.object?.first { $0.key != "field" }
      let word = ["equals": "is", "contains": "contains", "atLeast": "≥", "atMost": "≤"][test?.key ?? ""] ?? "?"
      return "\(condition["field"]?.text ?? "?") \(word) \(test?.value.text ?? "?")"
    }
    return words([
      "an event", event["type"].map { "of type \($0.text)" }, event["name"].map { "named \($0.text)" },
      conditions.isEmpty ? nil : "where \(conditions.joined(separator: ", "))",
    ])
  }

  private static func words(_ words: [String?]) -> String { words.compactMap(\.self).joined(separator: " ") }
}
