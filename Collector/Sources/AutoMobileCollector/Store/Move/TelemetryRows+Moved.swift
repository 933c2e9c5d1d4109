import AutoMobileClickHouse
import AutoMobileJournal

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

    fileprivate func record(_ bundle: String?) -> LogRecord {
      LogRecord(
        kind: isBreadcrumb ? .breadcrumb : .event, sequence: position, received: received, sent: nil, payload: payload,
        bundleId: bundle)
    }
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

  /// What became of an event.
  enum Moved {
    case kept
    /// It is of somebody who was erased.
    case erased
    /// It is in quarantine.
    case unreadable
  }

  mutating func add(_ stored: Stored, context: StoredContext?, id: Int64) -> Moved {
    var launch = named(stored)
    defer { launches[LaunchName(owner: stored.owner, launch: stored.launch)] = launch }
    let record = stored.record(launch.owner.bundle(stored.bundle))
    do {
      // One that an event carries comes with each of them. One that cannot be read is none.
      if let context, context.number >= 0 { try? add(context, record, id: id, &launch) }
      if stored.isBreadcrumb {
        try addBreadcrumb(record, id: id, &launch, of: .some(context.flatMap { launch.contexts[$0.number] }))
      } else {
        try addEvent(record, id: id, &launch)
      }
      return .kept
    } catch is ErasedRecord {
      return .erased
    } catch {
      quarantine(record, id: id, launch, reason: "\(error)")
      return .unreadable
    }
  }

  /// Adds a context that no event names yet: what the launch records from now on may.
  mutating func add(_ context: StoredContext, of stored: Stored, id: Int64) {
    var launch = named(stored)
    // One that cannot be read, nothing can name.
    try? add(context, stored.record(launch.owner.bundle(stored.bundle)), id: id, &launch)
    launches[LaunchName(owner: stored.owner, launch: stored.launch)] = launch
  }

  /// To be put back.
  private mutating func named(_ stored: Stored) -> BatchLaunch {
    var launch = take(LaunchName(owner: stored.owner, launch: stored.launch))
    launch.bundle = launch.owner.bundle(stored.bundle) ?? launch.bundle
    launch.sdk = stored.sdk ?? launch.sdk
    return launch
  }

  private mutating func add(
    _ context: StoredContext, _ record: LogRecord, id: Int64, _ launch: inout BatchLaunch
  ) throws {
    guard launch.contexts[context.number] == nil else { return }
    try context.json.withUnsafeBytes { json in
      if context.isNew {
        try remember(context.number, json, record, id: id, position: context.position, &launch)
        return
      }
      let known = try ContextRecord(json: json)
      var told = KnownContext(
        number: context.number, session: known.sessionId,
        bundle: known.bundleId.map { String($0.prefix(DataOwner.longestBundle)) }, version: known.appVersion,
        erasedBefore: erased?.mark(of: known, launch.owner.owner))
      if told.erasedBefore != nil {
        // Nothing of it was written before: it is with the first that is kept.
        told.held = HeldContext(
          json: String(decoding: json, as: UTF8.self), received: record.received, position: context.position, id: id)
      }
      launch.add(told)
    }
  }

  /// What a launch's deliveries counted.
  ///
  /// - Parameter id: of a launch of which there is nothing else, by which it has its place among others.
  mutating func add(_ ledger: LaunchLedger, of stored: Stored, id: Int64?) {
    var launch = named(stored)
    let header = BatchHeader(launchId: stored.launch, from: 0, to: 0, bundleId: stored.bundle, sdkVersion: stored.sdk)
    BatchLaunch.write(ledger, header, launch, received: stored.received, to: &ledgers)
    if let id { launch.part(of: "", id: id, received: stored.received) { _ in } }
    launches[LaunchName(owner: stored.owner, launch: stored.launch)] = launch
  }

  /// A record that could not be read, as much of it as the index has.
  mutating func addQuarantined(_ stored: Stored, kind: UInt8, reason: String, length: Int64, id: Int64) {
    let launch = named(stored)
    launches[LaunchName(owner: stored.owner, launch: stored.launch)] = launch
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
