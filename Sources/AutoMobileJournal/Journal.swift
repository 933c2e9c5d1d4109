import CAutoMobile
import Foundation

/// A durable, lock-free log of records in memory-mapped files.
///
/// When ``append(_:_:)`` returns, the record is in a shared mapping: whatever then happens to the process, the kernel
/// keeps it, and the next launch reads it. (Loss of power is outside the promise.) Everything that is not kept is
/// counted, by reason. See <doc:JournalFormat>.
///
///     let journal = try Journal(JournalOptions(directory: directory, owner: "com.example.app"))
///     Array(#"{"eventType":"log"}"#.utf8).withUnsafeBytes { _ = journal.append(.event, $0) }
///     for launch in journal.launches() {
///       while let chunk = journal.read(launch, maximumBytes: 512 * 1024, maximumRecords: 500) {
///         try await send(chunk)
///         journal.acknowledge(launch, upTo: chunk.to)
///       }
///     }
///
/// Sendable: appending works on atomics in the mapping; everything else goes through the store's lock.
public final class Journal: @unchecked Sendable {
  let store: JournalStore
  let keeper: Keeper
  private let shared: UnsafeMutablePointer<am_journal>
  private let preamble = NSLock()

  /// The name of what this process records now.
  public let launch: LaunchID

  /// Opens a journal for a new launch: one ledger, one segment, no look at what earlier launches left.
  ///
  /// A directory that cannot be used is no error: the journal then records into a little memory and tries again.
  ///
  /// - Throws: when there is not even memory.
  public convenience init(_ options: JournalOptions) throws {
    try self.init(options, isKept: true)
  }

  /// - Parameter isKept: false when ``startKeeping()`` follows soon: whoever opens the journal is in a hurry, and the thread that
  ///   prepares its segments maps and touches a lot of memory, for which others in the process have to wait.
  package init(_ options: JournalOptions, isKept: Bool) throws {
    store = try JournalStore(options)
    launch = store.own.id
    shared = store.ring.shared
    keeper = Keeper(store)
    if isKept { keeper.start() }
  }

  /// Prepares segments from now on. Only the first call does anything.
  package func startKeeping() { keeper.start() }

  deinit { close() }

  // MARK: Recording

  /// Appends a record.
  ///
  /// Any thread, also in a signal handler: takes no lock, allocates nothing, never waits.
  ///
  /// - Returns: the record's position, its sequence number in this launch; nil when it was dropped, which is counted.
  @discardableResult
  public func append(_ kind: RecordKind, _ payload: UnsafeRawBufferPointer) -> UInt64? {
    let position = am_journal_append(shared, UInt32(kind.rawValue), payload.baseAddress, payload.count)
    return position < 0 ? nil : UInt64(bitPattern: position)
  }

  /// Appends a record now, and again at the beginning of every later segment, until it is replaced.
  ///
  /// Any thread. A payload beyond 64 KiB, or half a segment, is appended but not repeated.
  public func setPreamble(_ kind: RecordKind, _ payload: [UInt8]) {
    guard !store.ring.isForeign else { return }
    preamble.withLock {
      payload.withUnsafeBytes {
        _ = am_journal_set_preamble(shared, UInt32(kind.rawValue), $0.baseAddress, $0.count)
        append(kind, $0)
        // Whoever goes on in room that was reserved before would stand before the preamble that it goes by.
        store.ring.seal()
      }
    }
  }

  /// Counts calls that recorded nothing. Any thread, never waits.
  public func countLoss(_ reason: LossReason, _ count: UInt64 = 1) {
    guard !store.ring.isForeign else { return }
    am_journal_count_loss(shared, UInt32(clamping: reason.index), count)
  }

  /// This launch's counts until now. Any thread, never waits for the disk.
  public var ledger: LaunchLedger {
    store.ring.isForeign ? LaunchLedger() : store.published.ledger.summary
  }

  /// Whether records go into files. Any thread, never waits for the disk.
  public var status: JournalStatus { store.published.status }

  // MARK: Reading and acknowledging

  /// The launches that may have something to deliver: earlier ones, oldest first, then this one.
  ///
  /// Never one that may still be running in another process. May read from disk.
  public func launches() -> [LaunchID] {
    guard !store.ring.isForeign else { return [] }
    return store.lock.withLock {
      store.loadAgain()
      return store.ordered.filter { $0.ledger.account.finisher == nil }.map(\.id)
    }
  }

  /// The earlier launches that this process has taken over, oldest first; also those that are finished, as long as
  /// something of them is kept. May read from disk.
  public func earlierLaunches() -> [LaunchID] {
    guard !store.ring.isForeign else { return [] }
    return store.lock.withLock {
      store.loadAgain()
      return store.ordered.filter { !$0.isOwn }.map(\.id)
    }
  }

  /// Whether there are files of a launch that this process has not taken over: it still runs, another process is at it, another
  /// owner's are left alone for now, or they cannot be opened yet. Reads from disk.
  package var hasOthers: Bool {
    guard !store.ring.isForeign else { return true }
    return store.lock.withLock {
      store.loadAgain()
      return store.directory.names().contains { store.launches[$0.launch] == nil }
    }
  }

  /// When a launch began, in milliseconds since 1970; nil when it is not known.
  public func beginning(of launch: LaunchID) -> Int64? { locked(launch) { $0.created } }

  /// What has been marked about an earlier launch: bits whose meaning is the caller's, 0 at first.
  public func marks(of launch: LaunchID) -> UInt64 { locked(launch) { $0.ledger.account.marks } ?? 0 }

  /// Sets marks of an earlier launch, in one step that a killed process has taken or not. Whoever takes the launch over
  /// finds them.
  public func mark(_ launch: LaunchID, _ marks: UInt64) {
    locked(launch) { launch in
      var account = launch.ledger.account
      guard account.marks | marks != account.marks else { return }
      account.marks |= marks
      store.commit(account, of: launch)
    }
  }

  public func isOwn(_ launch: LaunchID) -> Bool { launch == self.launch }

  /// A launch's counts; `final` when it is over and nothing of it is left to read. Nil when it is not known.
  public func ledger(of launch: LaunchID) -> LaunchLedger? {
    if isOwn(launch) { return ledger }
    return locked(launch) {
      LaunchLedger(
        writers: $0.ledger.counts, account: $0.ledger.account, ahead: $0.keeping.counts,
        isResolved: store.isResolved($0), isKeeping: store.isKeeping)
    }
  }

  /// The next records from the acknowledged position on: the same again, until they are acknowledged.
  ///
  /// - Parameters:
  ///   - launch: whose.
  ///   - maximumBytes: roughly the most that the records may take; one record is always read.
  ///   - maximumRecords: the most records.
  /// - Returns: nil when there is nothing now.
  public func read(_ launch: LaunchID, maximumBytes: Int, maximumRecords: Int) -> JournalChunk? {
    locked(launch) { store.read($0, maximumBytes: maximumBytes, maximumRecords: maximumRecords) } ?? nil
  }

  /// The receiver has what was read, up to a position: it counts as delivered, and what is done is removed from disk.
  public func acknowledge(_ launch: LaunchID, upTo position: UInt64) {
    locked(launch) { store.acknowledge($0, upTo: position) }
  }

  /// The receiver will never take these records: acknowledging them counts them under `reason` instead of as delivered.
  public func reject(_ launch: LaunchID, _ positions: some Sequence<UInt64>, reason: LossReason) {
    locked(launch) { launch in positions.forEach { launch.rejections[$0] = reason } }
  }

  /// The receiver has the final ledger of an earlier launch: forget it.
  ///
  /// Segments that hold the last retained records stay readable in this launch, and go in a later one.
  public func finish(_ launch: LaunchID) {
    locked(launch) { store.finish($0) }
  }

  /// The last records of some kinds, oldest first, also when they have been acknowledged; without a `launch`, of this one.
  public func lastRecords(of kinds: RecordKinds, limit: Int, launch: LaunchID? = nil) -> [JournalRecord] {
    locked(launch ?? self.launch) { store.lastRecords(of: kinds, limit: limit, in: $0) } ?? []
  }

  func locked<Result>(_ launch: LaunchID, _ body: (StoredLaunch) -> Result) -> Result? {
    guard !store.ring.isForeign else { return nil }
    return store.lock.withLock {
      if isOwn(launch) { return body(store.own) }
      if !store.isLoaded { store.load() }
      return store.launches[launch].map(body)
    }
  }

  // MARK: Ending

  /// Ends recording; everything recorded is already safe. What comes later counts as lost by `shutdown`.
  public func close() {
    guard !store.ring.isForeign else { return }
    am_journal_close(shared, UInt32(AM_LOSS_SHUTDOWN))
    store.ring.seal()
    keeper.stop()
  }

  /// Closes, and waits until this journal does nothing more in its directory.
  ///
  /// From then on another journal in this process may take over what is left of this launch, as the next launch does.
  /// Blocks for as long as the disk takes; not for the main thread of an app.
  public func closeAndWait() {
    guard !store.ring.isForeign else { return }
    close()
    keeper.waitUntilEnded()
    LiveLaunches.here.remove(launch)
  }
}
