extension AlertLook {
  /// The share of sessions without a crash, as *App health* counts them, of those whose last event is within the time.
  ///
  /// - Parameter crashed: of these sessions.
  mutating func tellCrashFree(_ rule: AlertRule, _ context: Context, sessions count: Int64, crashed: Int64) {
    let settings = rule.settings
    let minutes = settings.minutes ?? 1440
    guard count >= Int64(settings.minimum ?? 1), let threshold = settings.threshold else { return }
    let share = 100 * Double(count - crashed) / Double(count)
    let app = settings.bundleId.map { Alert.short($0, 100) } ?? "all apps"
    var facts = [
      Alert.Fact("Crash-free", "\(AlertRule.number(share)) %"), Alert.Fact("Sessions", "\(count), \(crashed) crashed"),
      Alert.Fact("App", app),
    ]
    if let version = settings.version { facts.append(Alert.Fact("Version", Alert.short(version, 60))) }
    let isBad = share < threshold
    guard isBad || context.firing[""] != nil else { return }
    let alert = Alert(
      kind: .crashFree, subject: "", severity: isBad ? .critical : .info,
      title: "\(AlertRule.number(share)) % crash-free sessions in \(app)",
      text: isBad
        ? "\(crashed) of \(count) sessions of \(AlertRule.last(minutes)) crashed: fewer than \(AlertRule.number(threshold)) % were without a crash."
        : "Back above \(AlertRule.number(threshold)) %.", facts: facts, place: Self.health(settings), at: context.now)
    findings.append(isBad ? .firing(alert) : .calm(alert))
  }

  private static func health(_ settings: AlertRule.Settings) -> String {
    let parameters = [("app", settings.bundleId), ("version", settings.version), ("days", "1")].compactMap {
      name, value in
      value.map { "\(name)=\($0.percentEncoded)" }
    }
    return "#/health?" + parameters.joined(separator: "&")
  }

  /// A route that requests went to.
  struct Route: Sendable {
    var method: String
    var host: String
    var pattern: String
    var count: Int64
    var failed: Int64
  }

  /// The share of requests that failed, route by route.
  mutating func tellRequestErrors(_ rule: AlertRule, _ context: Context, _ routes: [Route]) {
    let settings = rule.settings
    let minutes = settings.minutes ?? 60
    guard let threshold = settings.threshold else { return }
    var busy: [String: Double] = [:]
    for route in routes {
      let (method, host, pattern, count, failed) = (route.method, route.host, route.pattern, route.count, route.failed)
      let share = 100 * Double(failed) / Double(count)
      let subject = "\(method) \(host)\(pattern)".keepable
      busy[subject] = share
      guard share > threshold, findings.count < Self.most else { continue }
      var facts = [
        Alert.Fact("Route", Alert.short(subject)),
        Alert.Fact("Failed", "\(failed) of \(count) (\(AlertRule.number(share)) %)"),
      ]
      if let app = settings.bundleId { facts.append(Alert.Fact("App", Alert.short(app, 100))) }
      findings.append(
        .firing(
          Alert(
            kind: .requestErrors, subject: subject, severity: .error,
            title: "\(AlertRule.number(share)) % of requests fail: \(Alert.short(subject, 120))",
            text:
              "\(failed) of \(count) within \(AlertRule.duration(minutes)), more than \(AlertRule.number(threshold)) %.",
            facts: facts, place: Self.requests(method, host, pattern), at: context.now)))
    }
    // With too few requests it is over as well: nobody can say that they still fail.
    for subject in context.firing.keys.sorted() where busy[subject].map({ $0 <= threshold }) ?? true {
      findings.append(
        .calm(
          Alert(
            kind: .requestErrors, subject: subject, severity: .info,
            title: "Fewer errors again: \(Alert.short(subject, 120))",
            text: busy[subject].map { "\(AlertRule.number($0)) % fail within \(AlertRule.duration(minutes))." }
              ?? "Fewer than \(settings.minimum ?? 1) requests within \(AlertRule.duration(minutes)).",
            place: "#/network", at: context.now)))
    }
  }

  private static func requests(_ method: String, _ host: String, _ route: String) -> String {
    "#/network?method=\(method.percentEncoded)&host=\(host.percentEncoded)&route=\(route.percentEncoded)&failed=1"
  }
}
