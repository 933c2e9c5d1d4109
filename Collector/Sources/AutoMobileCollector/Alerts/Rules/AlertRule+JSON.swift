import Foundation

extension AlertRule {
  /// From a request's body.
  ///
  /// - Parameter known: the kind of a rule that is there already, which stays.
  /// - Throws: ``APIError`` that says which member is no good.
  init(_ body: JSONTree, kind known: Kind? = nil) throws {
    let fields = try JSONFields(
      body, named: "rule",
      allowed: [
        "name", "kind", "enabled", "bundleId", "version", "issueKinds", "threshold", "minutes", "minimum", "method",
        "host", "route", "states", "quietMinutes", "resolved", "channels",
      ])
    let kinds = Kind.allCases.map(\.rawValue)
    let word = try fields.text("kind", longest: 40) ?? known?.rawValue
    guard let kind = word.flatMap(Kind.init(rawValue:)), known == nil || kind == known else {
      throw fields.invalid(
        "kind",
        known.map { "stays \($0.rawValue): add another rule" } ?? "must be one of \(kinds.joined(separator: ", "))")
    }
    var settings = Settings()
    settings.enabled = try fields.flag("enabled") ?? true
    settings.bundleId = try fields.text("bundleId", longest: DataOwner.longestBundle)
    settings.version = try fields.text("version", longest: 100)
    settings.quietMinutes = try fields.integer("quietMinutes", in: 0...10_080) ?? 60
    settings.resolved = try fields.flag("resolved") ?? true
    settings.channels = try fields.integers("channels", most: 20)
    if let issueKinds = try fields.texts("issueKinds", most: 3, longest: 20), !issueKinds.isEmpty {
      guard kind.isOfIssues, issueKinds.allSatisfy({ EventReport.Kind(rawValue: $0) != nil }) else {
        throw fields.invalid("issueKinds", "must be some of crash, hang, failure, in a rule about issues")
      }
      settings.issueKinds = Set(issueKinds).sorted()
    }
    if let states = try fields.texts("states", most: 2, longest: 10), !states.isEmpty {
      guard kind == .ask, states.allSatisfy(Self.states.contains) else {
        throw fields.invalid("states", "must be some of came, gone, in a rule about what is asked for")
      }
      settings.states = Set(states).sorted()
    }
    guard kind != .ask || settings.version == nil else {
      throw fields.invalid("version", "is no part of a rule about what is asked for")
    }
    if let standard = kind.standardMinutes {
      settings.minutes = try fields.integer("minutes", in: kind == .silence ? 1...43_200 : 5...10_080) ?? standard
    }
    if let standard = kind.standardMinimum {
      settings.minimum = try fields.integer("minimum", in: 1...1_000_000) ?? standard
    }
    switch kind {
    case .issueRate:
      settings.threshold = Double(try fields.required(fields.integer("threshold", in: 1...1_000_000), "threshold"))
    case .crashFree, .requestErrors:
      settings.threshold = try fields.required(fields.number("threshold", in: 0...100), "threshold")
    case .newIssue, .regression, .silence, .ask: break
    }
    if kind == .requestErrors {
      settings.method = try fields.text("method", longest: 20)?.uppercased()
      settings.host = try fields.text("host", longest: 255)?.lowercased()
      settings.route = try fields.text("route", longest: 1000)
    }
    try fields.noOthers()
    self.init(
      name: try fields.text("name", longest: Self.longestName) ?? Self.sentence(kind, settings, isShort: true),
      kind: kind,
      settings: settings)
    // In bytes, as a name that is given: what is read here can be written back.
    name = String(name.prefix(Self.longestName))
    while name.utf8.count > Self.longestName { name.removeLast() }
  }

  func write(to json: inout JSONOutput) {
    json.object {
      $0.member("id", id)
      $0.member("name", name)
      $0.member("kind", kind.rawValue)
      $0.member("sentence", sentence)
      $0.member("enabled", settings.enabled)
      $0.member("bundleId", settings.bundleId)
      $0.member("version", settings.version)
      if let kinds = settings.issueKinds { $0.array("issueKinds") { for kind in kinds { $0.string(kind) } } }
      if let threshold = settings.threshold { $0.member("threshold", number: threshold) }
      if let minutes = settings.minutes { $0.member("minutes", Int64(minutes)) }
      if let minimum = settings.minimum { $0.member("minimum", Int64(minimum)) }
      if kind == .requestErrors {
        $0.member("method", settings.method)
        $0.member("host", settings.host)
        $0.member("route", settings.route)
      }
      if let states = settings.states { $0.array("states") { for state in states { $0.string(state) } } }
      $0.member("quietMinutes", Int64(settings.quietMinutes))
      if !kind.isMoment { $0.member("resolved", settings.resolved) }
      $0.array("channels") { for channel in settings.channels { $0.number(channel) } }
      $0.member("held", held)
      $0.member("since", since)
      $0.member("changedAt", changedAt)
      $0.member("changedBy", changedBy)
    }
  }
}
