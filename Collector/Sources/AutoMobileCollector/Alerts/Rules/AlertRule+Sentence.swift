extension AlertRule {
  /// The rule as one says it: “When requests to GET api.example.com/v1/cart fail for more than 5 % …”.
  var sentence: String { Self.sentence(kind, settings, isShort: false) }

  static func sentence(_ kind: Kind, _ settings: Settings, isShort: Bool) -> String {
    let app =
      (settings.bundleId.map { " in \($0)" } ?? "")
      + (settings.version.map { " \(settings.bundleId == nil ? "in version " : "")\($0)" } ?? "")
    let issue = settings.issueKinds.map { $0.joined(separator: " or ") } ?? "issue"
    let threshold = settings.threshold.map(number) ?? ""
    let time = settings.minutes.map(duration) ?? ""
    let minimum = settings.minimum ?? 1
    let first: String
    switch kind {
    case .newIssue: first = "a new \(issue) appears\(app)"
    case .regression: first = "a resolved \(issue) comes back\(app)"
    case .issueRate: first = "one \(issue) is reported more than \(threshold) times within \(time)\(app)"
    case .crashFree:
      first =
        "fewer than \(threshold) % of sessions\(app) within \(time) are without a crash"
        + (isShort ? "" : " (of at least \(minimum))")
    case .requestErrors:
      first =
        "more than \(threshold) % of requests to \(target(settings)) fail within \(time)\(app)"
        + (isShort ? "" : " (of at least \(minimum))")
    case .silence:
      first =
        "nothing is received\(settings.bundleId.map { " from \($0)" } ?? "")\(settings.version.map { " \($0)" } ?? "") for \(time)"
    case .ask:
      let ends = (settings.states ?? states).map { $0 == "came" ? "comes" : "is gone" }
      first = "what was asked for of devices \(ends.joined(separator: " or "))\(app)"
    }
    if isShort { return first.prefix(1).uppercased() + first.dropFirst() }
    let quiet = settings.quietMinutes == 0 ? "" : ", at most once in \(duration(settings.quietMinutes)) about the same"
    return "When \(first): tell\(quiet)."
  }

  private static func target(_ settings: Settings) -> String {
    let place = (settings.host ?? "") + (settings.route ?? "")
    let words = [settings.method, place.isEmpty ? nil : place].compactMap { $0 }
    return words.isEmpty
      ? "any one route" : words.joined(separator: " ") + (settings.route == nil ? " (any one route)" : "")
  }

  static func duration(_ minutes: Int) -> String {
    switch minutes {
    case 60: "an hour"
    case 1440: "a day"
    case let minutes where minutes % 1440 == 0: "\(minutes / 1440) days"
    case let minutes where minutes % 60 == 0: "\(minutes / 60) hours"
    default: minutes == 1 ? "a minute" : "\(minutes) minutes"
    }
  }

  /// The time before now: “the last hour”.
  static func last(_ minutes: Int) -> String {
    let length = duration(minutes)
    let one = ["an ", "a "].first(where: length.hasPrefix)
    return "the last " + length.dropFirst(one?.count ?? 0)
  }

  /// Without a fraction that says nothing.
  static func number(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    return rounded == rounded.rounded() ? String(Int64(rounded)) : String(rounded)
  }
}
