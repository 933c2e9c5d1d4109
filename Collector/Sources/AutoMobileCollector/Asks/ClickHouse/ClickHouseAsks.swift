import AutoMobileClickHouse
import Foundation

/// What has to do with asks, out of ClickHouse, in the order in which collectors said that it is there (``ArrivalOrder``).
struct ClickHouseAsks: AskReading {
  let telemetry: ClickHouseTelemetry
  let order: ArrivalOrder

  func session(_ scope: ReadScope, _ name: String, at now: Int64) async throws -> AskedSession? {
    try await telemetry.read(scope) { reading -> AskedSession? in
      guard let found = try await reading.session(named: name) else { return nil }
      let key = SessionFact.Name(project: found.project, session: found.session)
      let fact = try await reading.facts(of: [key])[key]
      let told = try await reading.told([found], now: now)[key]
      return AskedSession(
        given: found.session, bundle: fact?.bundle, owner: DataOwner(name: found.project),
        keepsNothing: told.map(AskAudience.keepsNothing) ?? false)
    }
  }

  func begin(_ ask: Ask) async throws -> (look: AskAudience.Look, newest: Int64) {
    let look = try await devices(for: ask, after: 0)
    return (look, try await order.end())
  }

  func newestContext() throws -> Int64 { try waitFor { [order] in try await order.end() } }

  func look(for ask: Ask, after first: Int64) throws -> AskAudience.Look {
    try waitFor { [self] in try await devices(for: ask, after: first) }
  }

  func empty(_ asks: [Ask], at now: Int64) throws -> Set<Int64> {
    try waitFor { [self] in try await emptied(asks, at: now) }
  }

  func arrived(after first: Int64, most: Int, _ open: @escaping @Sendable () -> [OpenAsk]) throws -> ArrivedEvents {
    try waitFor { [self] in try await counted(after: first, most: most, open) }
  }

  func emptied(_ asks: [Ask], at now: Int64) async throws -> Set<Int64> {
    let named = asks.compactMap { ask in ask.session.map { (id: ask.id, session: $0) } }
    guard !named.isEmpty else { return [] }
    return try await telemetry.readOwn { reading -> Set<Int64> in
      var names: [Int64: SessionName] = [:]
      for ask in named { names[ask.id] = try await reading.session(named: ask.session) }
      let told = try await reading.told(Array(Set(names.values)), now: now)
      let empty = names.filter { _, name in
        told[SessionFact.Name(project: name.project, session: name.session)].map(AskAudience.keepsNothing) ?? false
      }
      return Set(empty.keys)
    }
  }

  // MARK: Whom it concerns

  func devices(for ask: Ask, after first: Int64) async throws -> AskAudience.Look {
    let end = try await order.end()
    guard ask.kind == .user || ask.kind == .session, first < end else { return AskAudience.Look(last: end) }
    let from = first > 0 ? try await received(after: first) : nil
    let found = try await telemetry.readOwn { reading -> [String] in
      switch ask.kind {
      case .user: return try await reading.devices(ofUser: ask.subject, bundle: ask.bundle, receivedFrom: from)
      case .session:
        guard let name = ask.session, let session = try await reading.session(named: name) else { return [] }
        return try await reading.devices(of: session, receivedFrom: from)
      case .device, .appVersion: return []
      }
    }
    var look = AskAudience.Look(last: end)
    look.add(found)
    return look
  }

  /// When the first record behind a place can have been received: contexts have no numbers. Nil: long ago.
  private func received(after place: Int64) async throws -> Int64? {
    let slice = try await order.slice(after: place)
    // What is behind the slice was said later, and may be older.
    guard slice.isLast else { return nil }
    return ArrivalRange.received(slice.ranges)
  }

  // MARK: What came

  func counted(
    after first: Int64, most: Int, _ open: @escaping @Sendable () -> [OpenAsk]
  ) async throws -> ArrivedEvents {
    var found = ArrivedEvents()
    let slice = try await order.slice(after: first)
    let look: ArrivalLook
    if slice.ranges.isEmpty {
      look = ArrivalLook(end: slice.end, isLast: slice.isLast)
    } else {
      look = try await telemetry.readOwn { [order] in try await $0.arrived(slice, order, most: most) }
    }
    (found.last, found.isFull) = (look.end > first ? look.end : nil, !look.isLast)
    found.asks = open()
    let told = found.told
    let events = look.events.filter { $0.type != EventTypes.summary }
    guard !told.isEmpty, !events.isEmpty else { return found }
    let parts = try await telemetry.readOwn { try await $0.parts(of: events, for: told.map(\.ask)) }
    for part in parts { found.count(part.events, in: part.session, user: part.user) }
    return found
  }
}

/// Events of one session while one person used the app.
private struct ArrivedPart: Sendable {
  var session: ArrivedSession
  var user: String?
  var events: [ArrivedEvents.Event]
}

extension ClickHouseReading {
  // MARK: Devices

  private static let context: SQL = "project, session, launch, json"
  /// In bytes, as long as what a device writes. So many of them are less than an answer may have.
  private static let longestContext = 32 << 10
  private static let mostContexts = 1800

  private struct ToldContext: Sendable {
    var session: SessionFact.Name
    var json: Data

    init(_ row: inout RowBinaryReader) throws {
      let (project, session, launch) = (try row.string(), try row.string(), try row.string())
      self.session = SessionFact.Name(project: project, session: session.isEmpty ? "launch:\(launch)" : session)
      json = Data(buffer: try row.bytes())
    }

    var record: ContextRecord? { json.withUnsafeBytes { try? ContextRecord(json: $0) } }
  }

  /// The installations on which somebody used an app: of each session one context says it.
  fileprivate func devices(ofUser user: String, bundle: String, receivedFrom since: Int64?) async throws -> [String] {
    // Not of all projects: what others call somebody of the same name has no part in it. And no context that a device would not write:
    // an answer must not become too large because somebody sends such.
    var range: [SQL] = [
      "project IN (\(Self.texts(DataOwner.owners(of: bundle).map(\.name))))", "user = \(text: user)",
      "length(json) <= \(count: Self.longestContext)",
    ]
    if let since { range += Self.received(since) }
    let statement = copies(
      "\(Self.context), received", of: TelemetryTables.contexts, range,
      "ORDER BY received DESC LIMIT 1 BY project, launch, session"
    )
    .inside {
      "SELECT \(Self.context) FROM (\($0)) ORDER BY received DESC LIMIT \(count: Self.mostContexts)"
    }
    let told = try await rows(statement) { try ToldContext(&$0) }
    var bundles: [SessionFact.Name: String?] = [:]
    for part in Array(Set(told.map(\.session))).chunks(of: 500) {
      for (name, fact) in try await facts(of: Set(part)) { bundles[name] = fact.bundle }
    }
    return told.filter { bundles[$0.session] == .some(bundle) && $0.record?.userId == user }
      .compactMap { $0.record?.anonymousId }
  }

  fileprivate func devices(of session: SessionName, receivedFrom since: Int64?) async throws -> [String] {
    var range: [SQL] = session.range
    if let since { range += Self.received(since) }
    let statement = copies(
      Self.context, of: TelemetryTables.contexts, range,
      "ORDER BY received DESC LIMIT \(count: AskAudience.mostOfSession)")
    return try await rows(statement) { try ToldContext(&$0) }.compactMap { $0.record?.anonymousId }
  }

  private static func received(_ since: Int64) -> [SQL] {
    ["day >= toDate(\(max(0, since / 86_400_000)))", "received >= \(since)"]
  }

  // MARK: What came

  /// Who used the app, and where, when these came; only as far as one of the asks can be about them.
  fileprivate func parts(of events: [ArrivedEvent], for asks: [Ask]) async throws -> [ArrivedPart] {
    let bundles = Set(asks.map(\.bundle))
    let named = Set(asks.compactMap(\.session))
    var sessions = Dictionary(grouping: events) {
      SessionFact.Name(project: $0.event.project, session: $0.event.session)
    }
    var facts: [SessionFact.Name: SessionFact] = [:]
    for part in Array(sessions.keys).chunks(of: 500) {
      facts.merge(try await self.facts(of: Set(part))) { one, _ in one }
    }
    // What somebody opened from a file no device has sent.
    sessions = sessions.filter { name, _ in
      !DataOwner(name: name.project).isFile && facts[name]?.bundle.map(bundles.contains) ?? false
    }
    guard !sessions.isEmpty else { return [] }
    let meant = sessions.values.flatMap(\.self)
    let devices = asks.contains { $0.kind == .device } ? try await devices(of: meant) : [:]
    let users = asks.contains { $0.kind == .user } ? try await users(of: meant) : nil
    return sessions.flatMap { name, events -> [ArrivedPart] in
      let fact = facts[name]
      let qualified = SessionName(project: name.project, session: name.session, shard: 0).qualified
      let session = ArrivedSession(
        name: named.contains(qualified) ? qualified : name.session, bundle: fact?.bundle, user: fact?.user,
        version: fact?.version, devices: devices[name] ?? [])
      // Several may have used the app in a session, one after the other.
      let parts = Dictionary(grouping: events) { event -> String? in
        guard let told = users?[event.event.id] else { return fact?.user }
        return told.isEmpty ? nil : told
      }
      return parts.map { user, events in
        ArrivedPart(
          session: session, user: user,
          events: events.map { .init(place: $0.place, time: $0.event.timestamp, received: $0.received) })
      }
    }
  }

  private func devices(of events: [ArrivedEvent]) async throws -> [SessionFact.Name: Set<String>] {
    var devices: [SessionFact.Name: Set<String>] = [:]
    for part in Array(Set(events.map(\.launch))).sorted().chunks(of: 500) {
      let projects = Set(events.map(\.event.project)).sorted()
      let statement = copies(
        Self.context, of: TelemetryTables.contexts, Self.contexts(projects, part),
        "ORDER BY received DESC LIMIT \(count: AskAudience.mostOfSession) BY project, launch, session")
      for context in try await rows(statement, { try ToldContext(&$0) }) {
        if let device = context.record?.anonymousId { devices[context.session, default: []].insert(device) }
      }
    }
    return devices
  }

  /// Of the events that name a context, by their numbers: whom it names, or nobody.
  private func users(of events: [ArrivedEvent]) async throws -> [Int64: String] {
    var users: [Int64: String] = [:]
    for part in events.chunks(of: 500) {
      let statement = copies(
        "id, project, launch, assumeNotNull(context)", exactly: part.map(\.event), ["isNotNull(context)"])
      let named = try await rows(statement) {
        (try $0.int(Int64.self), ContextName(project: try $0.string(), launch: try $0.string(), number: try $0.int()))
      }
      var contexts = DistinctRows(TelemetryTables.contexts, columns: ["project", "launch", "context", "user"])
      contexts.range =
        Self.contexts(Set(named.map(\.1.project)).sorted(), Set(named.map(\.1.launch)).sorted())
        + [ClickHouseTerms.among("context", named.map(\.1.number))]
      guard !named.isEmpty else { continue }
      let found = try await rows(distinct(contexts)) {
        (ContextName(project: try $0.string(), launch: try $0.string(), number: try $0.int()), try $0.string())
      }
      let known = Dictionary(found, uniquingKeysWith: { one, _ in one })
      for (id, name) in named { users[id] = known[name] ?? "" }
    }
    return users
  }

  private static func texts(_ values: [String]) -> SQL { SQL.joined(values.map { "\(text: $0)" }, ", ") }

  private static func contexts(_ projects: [String], _ launches: [String]) -> [SQL] {
    ["project IN (\(texts(projects)))", "launch IN (\(texts(launches)))"]
  }
}
