import Foundation

/// The demo's story in flight recorder mode: what comes by itself, then what is asked for, and the sum of the ledgers after each step.
struct DemoKeepingStory {
  let client: CollectorClient
  /// Its address.
  let viewer: String
  /// Everything is asked for; else one session, and who watches may ask for the others while the app runs.
  let once: Bool
  let width: Int?
  let style: Style
  let say: @Sendable (String) -> Void

  struct Outcome: Equatable {
    /// Every step did what it had to.
    var holds = true
    var keeping = DemoKeeping()
    var fetches = DemoFetches()
  }

  /// How long one step may take; on a busy machine, too.
  static let limit: Duration = .seconds(30)

  func tell(_ story: DemoStory) async throws -> Outcome {
    var outcome = Outcome()
    _ = try await story.tell(
      after: {
        // What is on its way when a process dies goes with the next launch.
        let step = try await DemoKeeping.settle(client, limit: .seconds(5)) { !$0.launches.isEmpty && $0.holds }
        note(step, step.holds, in: &outcome)
      },
      settled: { _ in
        try await askForTheRest(&outcome)
        guard !once, outcome.holds else { return }
        report(outcome)
        say(style.dim("The app runs on: ask for a session on its page, and it comes. Ctrl-C to stop."))
        // Until Ctrl-C.
        try await Task.sleep(for: .seconds(1_000_000))
      })
    let end = try await DemoKeeping.settle(client, limit: .seconds(5), until: \.isWhole)
    outcome.holds = outcome.holds && end.isWhole
    outcome.keeping = end
    report(outcome)
    return outcome
  }

  /// While the third launch runs: what it is asked for comes at once.
  private func askForTheRest(_ outcome: inout Outcome) async throws {
    let told = try await told()
    note(told, told.isTold, in: &outcome)
    guard told.isTold else { return }
    outcome.fetches.firstBytes = try await DemoTraffic.settled(client)
    // The one of which least is here comes first.
    let staying = told.sessions.filter(\.isOnDevice).sorted { $0.here < $1.here }
    for session in staying.prefix(once ? .max : 1) { try await fetch(session, &outcome) }
    if once { outcome.fetches.wholeBytes = try await DemoTraffic.settled(client) }
  }

  /// Waits until what matters came. What the app that runs has to say of its session goes when somebody wants it to.
  private func told() async throws -> DemoKeeping {
    let deadline = ContinuousClock.now + Self.limit
    var client = client
    client.timeout = .seconds(5)
    var isFlushed = false
    while true {
      if !isFlushed {
        let flush: JSON = ["bundleId": "com.example.coffeeshop", "command": "flush", "arguments": [:]]
        isFlushed = (try? await client.send(.POST, "/api/commands", flush)) != nil
      }
      let keeping = try await DemoKeeping.read(client)
      if keeping.isTold || ContinuousClock.now > deadline { return keeping }
      try await Task.sleep(for: .milliseconds(200))
    }
  }

  /// Asks for a session as `automobile fetch` does, and waits until all that its device has told of is here.
  private func fetch(_ session: DemoKeeping.Session, _ outcome: inout Outcome) async throws {
    let name = CollectorClient.shortName(of: session.id)
    let told = "\(Format.count(session.here)) of \(Format.plural(session.recorded, "event"))"
    say(Printable.text("asks      for session \(name), of which \(told) came"))
    let begun = ContinuousClock.now
    let ask = try await client.send(
      .POST, "/api/asks", ["session": .string(session.id), "reason": "The demo shows that it comes."])
    let step = try await DemoKeeping.settle(client, limit: Self.limit) {
      $0.holds && $0.session(session.id)?.rest == nil
    }
    let took = ContinuousClock.now - begun
    let here = step.session(session.id)
    var fetch = DemoFetches.Fetch(
      session: session.id, before: session.here, after: here?.here ?? 0, milliseconds: took / .milliseconds(1),
      came: here != nil && here?.rest == nil)
    if fetch.came { fetch.came = try await hasCome(ask["id"]?.int ?? 0) }
    outcome.fetches.fetches.append(fetch)
    let events = Format.plural(fetch.after, "event")
    say(
      "          "
        + (fetch.came
          ? "came after \(Format.duration(milliseconds: fetch.milliseconds)): all \(events)"
          : style.red("did not come: \(events) are here")))
    note(step, step.holds && fetch.came, in: &outcome)
  }

  /// What arrives is held against what is asked for a moment later.
  private func hasCome(_ ask: Int) async throws -> Bool {
    let deadline = ContinuousClock.now + Self.limit
    while try await client.get("/api/asks/\(ask)")["state"]?.string != "came" {
      guard ContinuousClock.now < deadline else { return false }
      try await Task.sleep(for: .milliseconds(100))
    }
    return true
  }

  // MARK: Words

  private func note(_ step: DemoKeeping, _ holds: Bool, in outcome: inout Outcome) {
    outcome.holds = outcome.holds && holds
    outcome.keeping = step
    say("          ledger: \(step.sum(style: style))")
  }

  private func report(_ outcome: Outcome) {
    say("")
    for line in Self.lines(outcome, once: once, width: width, style: style) { say(line) }
    say("\nSee it:  \(style.cyan(viewer))")
    let stories = ["the one that was killed", "the one that hung and crashed", "the one that came back"]
    for (session, story) in zip(outcome.keeping.sessions, stories) {
      let link = "\(viewer)#/sessions/\(CollectorClient.segment(session.id))"
      say("         \(style.cyan(link))  \(story)\(session.rest.map { ": \(Printable.text($0))" } ?? "")")
    }
  }

  static func lines(_ outcome: Outcome, once: Bool, width: Int?, style: Style) -> [String] {
    var lines = outcome.keeping.lines(width: width, style: style)
    if let share = outcome.fetches.share { lines.append(share) }
    lines.append("")
    let good =
      once
      ? "What matters came by itself, the rest when it was asked for, and the ledger adds up."
      : "What matters came by itself, a session when it was asked for, and the ledger adds up."
    if outcome.holds {
      lines.append(style.green(good))
    } else {
      let faults = faults(of: outcome)
      lines += (faults.isEmpty ? ["The story did not end as it has to."] : faults).map(style.red)
    }
    return lines
  }

  /// What is not as it has to be.
  private static func faults(of outcome: Outcome) -> [String] {
    var faults: [String] = []
    if !outcome.keeping.holds { faults.append("The ledger does not add up.") }
    for fetch in outcome.fetches.fetches where !fetch.came {
      let name = Printable.text(CollectorClient.shortName(of: fetch.session))
      faults.append("Session \(name) was asked for, and did not come.")
    }
    if outcome.fetches.fetches.isEmpty {
      faults.append("Not every launch was told of, or nothing stayed on the device to be asked for.")
    }
    return faults
  }

  /// The last line of standard output with `--once --json`.
  static func json(_ outcome: Outcome, viewer: String) -> JSON {
    let keeping = outcome.keeping
    return [
      "launches": .array(
        keeping.launches.map {
          [
            "recorded": JSON($0.recorded), "delivered": JSON($0.delivered), "dropped": JSON($0.dropped),
            "kept": JSON($0.kept), "expired": JSON($0.expired), "lost": JSON($0.lost),
            "duplicated": JSON($0.duplicated),
          ]
        }),
      "sessions": .array(
        keeping.sessions.map { ["sessionId": .string($0.id), "recorded": JSON($0.recorded), "here": JSON($0.here)] }),
      "asks": .array(
        outcome.fetches.fetches.map {
          [
            "sessionId": .string($0.session), "before": JSON($0.before), "after": JSON($0.after),
            "milliseconds": JSON(Int($0.milliseconds)), "came": .bool($0.came),
          ]
        }),
      "savedBytes": JSON(keeping.savedBytes), "sentBytes": JSON(keeping.sentBytes),
      "receivedBytes": outcome.fetches.firstBytes.map { JSON($0) } ?? .null,
      "wholeBytes": outcome.fetches.wholeBytes.map { JSON($0) } ?? .null, "viewer": .string(viewer),
    ]
  }
}
