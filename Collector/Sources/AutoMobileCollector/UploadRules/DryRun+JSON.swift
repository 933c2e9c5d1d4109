extension DryRun {
  /// The members of the answer.
  func write(to json: inout JSONOutput, _ section: UploadSection) {
    json.member("from", from)
    json.member("to", to)
    json.member("partial", isPartial)
    json.object("looked") {
      $0.member("devices", figures.devices)
      $0.member("launches", figures.launches)
      $0.member("sessions", figures.sessions)
      $0.member("summaries", figures.summaries)
    }
    json.object("everything") { Self.write(figures.everything, to: &$0) }
    json.object("always") { Self.write(figures.always, to: &$0) }
    json.object("total") {
      Self.write(figures.total, to: &$0)
      $0.member("sessions", figures.sentSessions)
    }
    json.object("compression") {
      $0.member("bytes", sample.bytes)
      $0.member("compressed", sample.compressed)
    }
    json.array("rules") {
      for (place, rule) in zip(section.rules, figures.rules) {
        $0.object {
          $0.member("index", Int64(place.index))
          $0.member("name", place.rule.name)
          $0.member("matched", rule.matched)
          $0.member("fired", rule.fired)
          $0.member("limited", rule.limited)
          $0.member("sessions", rule.sessions)
          $0.member("devices", rule.devices)
          Self.write(rule.sent, to: &$0)
        }
      }
    }
    json.array("problems") { PlacedError.write(section.problems, to: &$0) }
  }

  private static func write(_ sum: LaunchStretches.Sum, to json: inout JSONOutput) {
    json.member("events", sum.events)
    json.member("bytes", sum.bytes)
  }
}

extension PlacedError {
  static func write(_ errors: [PlacedError], to json: inout JSONOutput) {
    for error in errors {
      json.object {
        $0.member("place", error.place)
        $0.member("reason", error.reason)
      }
    }
  }
}
