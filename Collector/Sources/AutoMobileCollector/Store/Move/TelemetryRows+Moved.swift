import AutoMobileClickHouse
import AutoMobileJournal
import Foundation

/// What an index has is made into rows by the same code as what comes out of the log.
extension TelemetryRows {
  /// A record as an index has it, with the context that was found for it when it came.
  struct Stored {
    var owner: DataOwner
    var launch: LaunchID
    var bundle: String?
    var sdk: String?
    /// A breadcrumb; else an event.
    var isBreadcrumb: Bool
    var position: Int64
    var received: Int64
    var payload: UnsafeRawBufferPointer
  }

  /// A context as an index has it.
  struct StoredContext {
    var number: Int64
    var json: [UInt8]
    /// Nothing before it names it: it is written now. Else it was.
    var isNew: Bool
    /// Before everything that names it: the index has not kept the position of its record.
    var position: Int64
  }

  /// - Throws: what makes an event unreadable, which no index has taken in.
  mutating func add(_ stored: Stored, context: StoredContext?, id: Int64) throws {
    let name = LaunchName(owner: stored.owner, launch: stored.launch)
    var launch = take(name)
    defer { launches[name] = launch }
    launch.bundle = launch.owner.bundle(stored.bundle) ?? launch.bundle
    launch.sdk = stored.sdk ?? launch.sdk
    let record = LogRecord(
      kind: stored.isBreadcrumb ? .breadcrumb : .event, sequence: stored.position, received: stored.received, sent: nil,
      payload: stored.payload, bundleId: launch.owner.bundle(stored.bundle))
    // One that an event carries comes with each of them.
    if let context, context.number >= 0 { try add(context, record, id: id, &launch) }
    if stored.isBreadcrumb {
      try addBreadcrumb(record, id: id, &launch, of: .some(context.flatMap { launch.contexts[$0.number] }))
    } else {
      try addEvent(record, id: id, &launch)
    }
  }

  private mutating func add(
    _ context: StoredContext, _ record: LogRecord, id: Int64, _ launch: inout BatchLaunch
  ) throws {
    guard launch.contexts[context.number] == nil else { return }
    try context.json.withUnsafeBytes { json in
      if context.isNew {
        try remember(context.number, json, record, id: id, position: context.position, &launch)
      } else {
        let known = try ContextRecord(json: json)
        var told = KnownContext(
          number: context.number, session: known.sessionId,
          bundle: known.bundleId.map { String($0.prefix(DataOwner.longestBundle)) }, version: known.appVersion,
          erasedBefore: erased?.mark(of: known, launch.owner.owner))
        if told.erasedBefore != nil {
          told.held = HeldContext(
            json: String(decoding: json, as: UTF8.self), received: record.received, position: context.position, id: id)
        }
        launch.add(told)
      }
    }
  }

  /// What a launch's deliveries counted, and that it was there at all.
  mutating func add(_ ledger: LaunchLedger, of stored: Stored, id: Int64) {
    let name = LaunchName(owner: stored.owner, launch: stored.launch)
    var launch = take(name)
    launch.bundle = launch.owner.bundle(stored.bundle) ?? launch.bundle
    launch.sdk = stored.sdk ?? launch.sdk
    let header = BatchHeader(launchId: stored.launch, from: 0, to: 0, bundleId: stored.bundle, sdkVersion: stored.sdk)
    BatchLaunch.write(ledger, header, launch, received: stored.received, to: &ledgers)
    if launch.parts.isEmpty { launch.part(of: "", id: id, received: stored.received) { _ in } }
    launches[name] = launch
  }

  /// A context that no event has named yet. One without a position is found by its number alone.
  mutating func addUnnamed(_ number: Int64, _ json: [UInt8], of stored: Stored, id: Int64) throws {
    let name = LaunchName(owner: stored.owner, launch: stored.launch)
    var launch = take(name)
    defer { launches[name] = launch }
    launch.bundle = launch.owner.bundle(stored.bundle) ?? launch.bundle
    launch.sdk = stored.sdk ?? launch.sdk
    try json.withUnsafeBytes { json in
      let record = LogRecord(
        kind: .context, sequence: stored.position, received: stored.received, sent: nil, payload: json,
        bundleId: launch.owner.bundle(stored.bundle))
      try remember(number, json, record, id: id, position: stored.position, &launch)
    }
  }

  /// A record that could not be read, as much of it as the index has.
  mutating func addQuarantined(_ stored: Stored, kind: UInt8, reason: String, length: Int64, id: Int64) {
    let name = LaunchName(owner: stored.owner, launch: stored.launch)
    let launch = take(name)
    launches[name] = launch
    tally.quarantined += 1
    let columns = RecordColumns(
      shard: ShardKey.of(project: launch.project, session: launch.name), project: launch.project, session: "",
      launch: launch.name, position: stored.position, id: id, timestamp: stored.received, received: stored.received)
    quarantine.append(columns.shard) { row in
      columns.write(&row)
      row.int(kind)
      row.string(String(reason.prefix(1000)))
      row.int(length)
      row.string(stored.payload)
    }
  }
}
