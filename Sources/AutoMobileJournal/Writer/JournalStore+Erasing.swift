import CAutoMobile
import Foundation

// Forgetting what has been recorded, because somebody asked for that.
extension JournalStore {
  /// Removes what is in the directory, and lets go of what is in memory. What of this launch had not been delivered counts as
  /// ``LossReason/erased``; other launches are gone with their counts.
  ///
  /// - Parameter everybodys: also what other owners left, or are recording right now: what they have mapped is nobody's but
  ///   theirs from then on, and gone with them.
  func erase(everybodys: Bool) {
    if !isLoaded { load() }
    for name in directory.names() where name.launch != own.id {
      if everybodys || launches[name.launch] != nil || isOwners(name) { directory.remove(name) }
    }
    launches = [own.id: own]
    cached = nil
    eraseOwn()
  }

  /// Removes what others have recorded in launches that began before a moment. This launch goes on.
  func eraseEarlier(before: Int64, everybodys: Bool) {
    let hash = identity.owner
    for name in directory.names() where name.launch != own.id {
      let known = identity(in: name, name.role)
      guard known?.created ?? 0 < before else { continue }
      if everybodys || launches[name.launch] != nil || known?.owner == hash { directory.remove(name) }
    }
    launches = launches.filter { $0.key == own.id || $0.value.created >= before }
    cached = nil
  }

  private func isOwners(_ name: JournalFileName) -> Bool {
    identity(in: name, name.role)?.owner == identity.owner
  }

  /// In milliseconds.
  private static let patience = 1000

  private func eraseOwn() {
    own.flight = nil
    own.rejections = [:]
    // Whoever appends from now on does so in a segment that is kept, which begins with the preamble as it is now.
    if ring.ready == ring.current, ring.canHold(ring.current &+ 1), (try? prepareMemory(ring.current &+ 1)) != nil {
      ring.makeReady(ring.current &+ 1)
    }
    _ = am_journal_roll(ring.shared)
    ring.seal()
    for index in own.indices where index < ring.current {
      // A call that is under way publishes in a moment; what it has reserved hides what stands behind it from whoever counts.
      for _ in 0..<Self.patience where ring.records(index) != nil && !ring.isComplete(index) { usleep(1000) }
      discard(index, of: own, as: .erased)
    }
    own.retained = []
    own.ahead = nil
    own.wanted = nil
    own.keeping.setNote(nil, acknowledged: own.ledger.account.acknowledged, isKept: own.keeping.isOnDisk)
  }

  /// Has nothing on disk from now on: what is recorded nevertheless goes into the memory that the files had.
  func park() {
    guard !isParked else { return }
    isParked = true
    for index in own.indices {
      directory.remove(.segment(own.id, index: index))
      own.segments[index] = 0
      volatile.insert(index)
    }
    if isDurable, let (ledger, _) = try? Self.openLedger(identity, in: directory, isKept: false),
      let mapping = ledger.mapping
    {
      replaceLedger(ledger, mapping)
    }
    directory.remove(own.ledgerName)
    own.keeping.remove()
    isDurable = false
    failure = StorageError("keep what is recorded while it is not wanted", code: ECANCELED)
    noteShortage()
  }

  func unpark() {
    isParked = false
    publishStatus()
  }
}
