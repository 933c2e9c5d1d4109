import AutoMobileJournal
import AutoMobileSupport

/// Looks at the records of one launch, in their order: which rules apply, what is to be sent, and what its sessions were like.
///
/// The delivery worker's queue. It reads nothing by itself: whoever walks through the journal hands it the records.
final class LaunchEvaluation {
  let launch: LaunchID
  let isOwn: Bool
  private(set) var note: LaunchNote
  /// Marks, or what is said of them, have changed since the note was last written down.
  var isChanged = false
  /// The journal knows what is wanted of it.
  var hasToldWanted = false
  /// Only how far it has been looked at has changed, and the tallies.
  var isAdvanced = false
  private var contexts: [UInt64: EventContext] = [:]
  private var asksOfContext: [UInt64: [Int]] = [:]
  /// Indices of marks whose beginning has to be looked for, with the first time that they contain and the trigger's position.
  private(set) var unbegun: [(mark: Int, since: Int64, trigger: UInt64)] = []
  /// What happened in other launches.
  private(set) var foreign: [ForeignTrigger] = []
  /// Where the event before ended.
  private var lastEnd: UInt64 = 0

  /// A rule that applied to an event about another launch.
  struct ForeignTrigger: Equatable {
    var launch: LaunchID
    /// Nil: the event only tells how that launch ended.
    var rule: UploadRule?
    /// When it happened there; nil: at its end.
    var at: Int64?
    var end: SessionTally.End?
  }

  /// What an evaluation goes by.
  struct Rules {
    var compiled: CompiledRules
    var asks: [UploadAsk]
    /// Whether a rule may apply once more today; counted when it does. Asked again for the same event, it says the same.
    var allows: (_ rule: UploadRule, _ launch: LaunchID, _ position: UInt64) -> Bool
  }

  /// How many contexts are remembered.
  private static let mostContexts = 512

  init(_ launch: LaunchID, isOwn: Bool, note: LaunchNote) {
    self.launch = launch
    self.isOwn = isOwn
    self.note = note
    lastEnd = note.evaluated
  }

  /// Contexts that stand before the first record which will be looked at.
  func learn(_ records: [JournalRecord]) {
    for record in records { record.payload.withUnsafeBytes { learnContext($0) } }
  }

  private func learnContext(_ payload: UnsafeRawBufferPointer) {
    guard let (id, context) = EventContext.read(payload) else { return }
    if contexts.count >= Self.mostContexts, contexts[id] == nil, let oldest = contexts.keys.min() {
      contexts[oldest] = nil
      asksOfContext[oldest] = nil
    }
    contexts[id] = context
    asksOfContext[id] = nil
  }

  /// Other rules, or other asks, from here on.
  func rulesChanged() { asksOfContext = [:] }

  // MARK: Records

  /// Looks at a record. Everything before `next` counts as looked at then.
  func look(
    at kind: RecordKind, _ position: UInt64, next: UInt64, _ payload: UnsafeRawBufferPointer, rules: Rules
  ) {
    if kind == .context { learnContext(payload) }
    guard kind == .event || kind == .eventAndBreadcrumb else { return }
    let event = EventBytes(payload)
    let head = EventHead(event)
    if let timestamp = head.timestamp { endMarks(at: position, timestamp) }
    let context = ContextReference(in: payload)?.id
    // An event with its context in full may be about another launch.
    let other = context == nil ? otherLaunch(event) : nil
    if Self.alwaysSent.contains(head.type) { mark(UploadMark.everyones, position, next, UploadMark.highestPriority) }
    if let other {
      tell(of: other, head, event, position, rules)
    } else {
      meet(session: context.flatMap { contexts[$0]?.sessionId }, context, position, head, rules)
      if let last = note.sessions.indices.last { note.sessions[last].add(event, head) }
      rules.compiled.match(event, type: head.type) { index in
        apply(rules.compiled.rules[index], position, head.timestamp ?? 0, event, rules)
      }
      if let context, let timestamp = head.timestamp { answer(rules.asks, context, position, next, timestamp) }
    }
    lastEnd = next
  }

  /// How far has been looked at.
  func advance(to position: UInt64) {
    guard position > note.evaluated else { return }
    note.evaluated = position
    isAdvanced = true
  }

  private static let alwaysSent: Set<Int> = [
    EventTypeNumber.of(.crash), EventTypeNumber.of(.handledException), EventTypeNumber.of(.sessionSummary),
  ]
  private static let ofLaunch = Array("ofLaunch".utf8)

  private func otherLaunch(_ event: EventBytes) -> LaunchID? {
    guard let place = event.member(Self.ofLaunch),
      let named = event.withText(place, { LaunchID(String(decoding: $0, as: UTF8.self)) }) ?? nil, named != launch
    else { return nil }
    return named
  }

  private func tell(
    of other: LaunchID, _ head: EventHead, _ event: EventBytes, _ position: UInt64, _ rules: Rules
  ) {
    if head.type == EventTypeNumber.of(.crash) {
      foreign.append(ForeignTrigger(launch: other, at: head.timestamp, end: .crash))
    }
    rules.compiled.match(event, type: head.type) { index in
      let rule = rules.compiled.rules[index]
      guard rules.allows(rule, launch, position) else { return }
      foreign.append(ForeignTrigger(launch: other, rule: rule, at: head.timestamp))
    }
  }

  private func apply(_ rule: UploadRule, _ position: UInt64, _ timestamp: Int64, _ event: EventBytes, _ rules: Rules) {
    if case .unexpectedEnd = rule.when, let ended = EndedLaunch(event), ended.launch != launch {
      guard rules.allows(rule, launch, position) else { return }
      return foreign.append(ForeignTrigger(launch: ended.launch, rule: rule))
    }
    let until = timestamp.addingReportingOverflow(rule.send.afterMs).partialValue
    // In the middle of what it has marked before: that goes on for longer.
    if let open = note.marks.firstIndex(where: { $0.name == rule.name && $0.to == nil }) {
      note.marks[open].until = note.marks[open].until.map { max($0, until) }
      isChanged = true
      return
    }
    guard rules.allows(rule, launch, position) else { return }
    note.marks.append(
      UploadMark(name: rule.name, from: position, to: nil, until: until, priority: rule.send.priority))
    unbegun.append(
      (note.marks.count - 1, timestamp.subtractingReportingOverflow(rule.send.beforeMs).partialValue, position))
    isChanged = true
  }

  private func endMarks(at position: UInt64, _ timestamp: Int64) {
    for index in note.marks.indices where note.marks[index].to == nil {
      guard let until = note.marks[index].until, timestamp > until else { continue }
      note.marks[index].to = position
      isChanged = true
    }
  }

  /// Marks a single event, or makes the mark before it longer.
  private func mark(_ name: String, _ position: UInt64, _ next: UInt64, _ priority: Int) {
    isChanged = true
    if let before = note.marks.lastIndex(where: { $0.name == name }), note.marks[before].to == lastEnd,
      lastEnd <= position, note.marks[before].from < lastEnd
    {
      note.marks[before].to = next
    } else {
      note.marks.append(UploadMark(name: name, from: position, to: next, until: nil, priority: priority))
    }
  }

  // MARK: Sessions

  private func meet(
    session: String?, _ context: UInt64?, _ position: UInt64, _ head: EventHead, _ rules: Rules
  ) {
    let id = session ?? "launch:" + launch.description
    if let known = note.sessions.lastIndex(where: { $0.session == id }) {
      // Threads that record while a session changes may still name the one before.
      if known == note.sessions.count - 1 { note.sessions[known].contextId = context ?? note.sessions[known].contextId }
      return
    }
    if !note.sessions.isEmpty { note.sessions[note.sessions.count - 1].hasEnded = true }
    for index in note.marks.indices where note.marks[index].to == nil && note.marks[index].until == nil {
      note.marks[index].to = position
    }
    if note.sessions.count >= SessionTally.mostSessions { note.sessions.removeFirst() }
    note.sessions.append(SessionTally(session: id, contextId: context, at: head.timestamp ?? 0))
    for (index, fraction) in rules.compiled.sessionRules where SessionSampling.isSampled(id, rate: fraction) {
      let rule = rules.compiled.rules[index]
      guard rules.allows(rule, launch, position) else { continue }
      note.marks.append(
        UploadMark(name: rule.name, from: position, to: nil, until: nil, priority: rule.send.priority))
    }
    isChanged = true
  }

  /// Changes what is told of the sessions.
  func changeSessions(_ change: (inout [SessionTally]) -> Void) {
    change(&note.sessions)
    isChanged = true
  }

  // MARK: Asks

  private func answer(_ asks: [UploadAsk], _ context: UInt64, _ position: UInt64, _ next: UInt64, _ timestamp: Int64) {
    guard !asks.isEmpty else { return }
    let about: [Int]
    if let known = asksOfContext[context] {
      about = known
    } else {
      about = contexts[context].map { named in asks.indices.filter { asks[$0].isAbout(named) } } ?? []
      asksOfContext[context] = about
    }
    for index in about { mark(for: asks[index], position, next, timestamp) }
  }

  /// Marks an event whose context an ask is about, if its time is one that the ask names.
  private func mark(for ask: UploadAsk, _ position: UInt64, _ next: UInt64, _ timestamp: Int64) {
    guard ask.from <= timestamp, timestamp <= ask.to else { return }
    mark(UploadMark.name(of: ask), position, next, ask.priority)
  }

  /// Asks that came after a part of the launch had been looked at.
  func unanswered(of asks: [UploadAsk]) -> [UploadAsk] { asks.filter { !note.asked.contains($0.id) } }

  /// Looks once more at a record that has been looked at, for the sake of new asks only.
  func lookAgain(
    at kind: RecordKind, _ position: UInt64, next: UInt64, _ payload: UnsafeRawBufferPointer, asks: [UploadAsk]
  ) {
    if kind == .context { learnContext(payload) }
    guard kind == .event || kind == .eventAndBreadcrumb else { return }
    if let context = ContextReference(in: payload)?.id, let timestamp = EventHead(EventBytes(payload)).timestamp,
      let named = contexts[context]
    {
      for ask in asks where ask.isAbout(named) { mark(for: ask, position, next, timestamp) }
    }
    lastEnd = next
  }

  /// Goes back to the beginning for ``lookAgain(at:_:next:_:asks:)``, or to where it was.
  func rewind(to position: UInt64) { lastEnd = position }

  func answered(_ asks: [UploadAsk], of all: [UploadAsk]) {
    note.asked = note.asked.filter { id in all.contains { $0.id == id } } + asks.map(\.id)
    isChanged = true
  }

  // MARK: Marks

  /// A mark begins there.
  func begin(mark index: Int, at position: UInt64) {
    guard note.marks.indices.contains(index) else { return }
    note.marks[index].from = min(position, note.marks[index].from)
  }

  func begunAll() { unbegun = [] }
  func toldForeign() { foreign = [] }

  /// Marks what another launch tells about this one.
  func add(_ mark: UploadMark) {
    if let same = note.marks.firstIndex(where: { $0.name == mark.name && $0.to == mark.to }) {
      note.marks[same].from = min(note.marks[same].from, mark.from)
    } else {
      note.marks.append(mark)
    }
    isChanged = true
  }

  /// The launch is over, and all of it has been looked at: nothing goes on.
  func end() {
    for index in note.marks.indices where note.marks[index].to == nil {
      note.marks[index].to = .max
      isChanged = true
    }
    if let last = note.sessions.indices.last, !note.sessions[last].hasEnded {
      note.sessions[last].hasEnded = true
      isChanged = true
    }
  }

  /// The ranges of the marks of a priority that have been looked at, disjoint and sorted.
  func ranges(priority: Int) -> [Range<UInt64>] { ranges(until: note.evaluated) { $0.priority == priority } }

  /// What is not to be removed.
  var wanted: [Range<UInt64>] { ranges(until: .max) { _ in true } }

  private func ranges(until last: UInt64, _ isMeant: (UploadMark) -> Bool) -> [Range<UInt64>] {
    JoinedRanges.joined(
      note.marks.compactMap { mark in
        let end = min(mark.to ?? .max, last)
        // bounded: compared just before.
        return isMeant(mark) && mark.from < end ? mark.from..<end : nil
      })
  }

  var priorities: Set<Int> { Set(note.marks.map(\.priority)) }

  /// Everything in the marks of a priority has been sent: forgets those that do not go on.
  func sent(priority: Int) {
    let (before, evaluated) = (note.marks.count, note.evaluated)
    note.marks.removeAll { mark in
      guard mark.priority == priority, let to = mark.to else { return false }
      return to <= evaluated || to == .max && !isOwn
    }
    if note.marks.count != before { isChanged = true }
  }
}

extension EventContext {
  /// The number of a context record, and what of it matters here.
  static func read(_ payload: UnsafeRawBufferPointer) -> (id: UInt64, context: EventContext)? {
    let record = EventBytes(payload)
    guard let place = record.member(Array("contextId".utf8)), let number = record.integer(place),
      let id = UInt64(exactly: number)
    else { return nil }
    func text(_ name: StaticString) -> String? {
      name.withUTF8Buffer { record.member(Array($0)) }
        .flatMap { place in record.withText(place) { String(decoding: $0, as: UTF8.self) } }
    }
    return (
      id,
      EventContext(
        sessionId: text("sessionId"), userId: text("userId"), anonymousId: text("anonymousId"),
        appVersion: text("appVersion"))
    )
  }
}
