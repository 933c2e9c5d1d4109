extension AlertLook {
  /// Nothing came for so long, while this collector ran and the rule was there: what a collector that was down did not
  /// receive, says nothing about the app.
  ///
  /// - Parameter newest: when the last of it was received, after a time; nil: nothing was.
  mutating func tellSilence(
    _ rule: AlertRule, _ context: Context, _ newest: (_ limit: Int64) throws -> Int64?
  ) rethrows {
    let settings = rule.settings
    let length = Int64(settings.minutes ?? 60) * 60_000
    let app =
      (settings.bundleId.map { Alert.short($0, 100) } ?? "any app")
      + (settings.version.map { " " + Alert.short($0, 60) } ?? "")
    if let since = context.firing[""] {
      guard let received = try newest(since > context.now ? context.now - 60_000 : since) else { return }
      findings.append(
        .calm(
          Alert(
            kind: .silence, subject: "", severity: .info, title: "Receiving again from \(app)",
            text: "Something arrived at \(Alert.time(received)).", place: "#/", at: received)))
      return
    }
    let watching = max(context.startedAt, rule.since)
    guard context.now - watching >= length, try newest(context.now - length) == nil else { return }
    let last = try newest(0)
    findings.append(
      .firing(
        Alert(
          kind: .silence, subject: "", severity: .warning,
          title: "Nothing received from \(app) for \(AlertRule.duration(settings.minutes ?? 60))",
          text: last.map { "The last of it arrived at \(Alert.time($0))." } ?? "Nothing has ever arrived.",
          facts: [Alert.Fact("App", app)], place: "#/", at: context.now)))
  }
}
