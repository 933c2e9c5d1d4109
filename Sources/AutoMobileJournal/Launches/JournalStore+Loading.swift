import CAutoMobile
import Foundation

// Finding what earlier launches left, and taking it over.
extension JournalStore {
  /// How often launches that have ended meanwhile are looked for, in seconds.
  private static let loadInterval: TimeInterval = 1

  func loadAgain() {
    if !isLoaded || DispatchTime.now() > loaded + Self.loadInterval { load() }
  }

  /// Looks through the directory for launches that are over and not yet known.
  func load() {
    isLoaded = true
    loaded = .now()
    var segments: [LaunchID: [UInt64]] = [:]
    var ledgers: [LaunchID: JournalFileName] = [:]
    var keepings: [JournalFileName] = []
    for name in directory.names() where launches[name.launch] == nil {
      switch name {
      case .segment(let launch, let index): segments[launch, default: []].append(index)
      case .ledger(let launch, _): ledgers[launch] = name
      case .keeping: keepings.append(name)
      }
    }
    for launch in Set(segments.keys).union(ledgers.keys) {
      adopt(launch, segments: segments[launch] ?? [], ledger: ledgers[launch], allLedgers: ledgers)
    }
    // Of a launch that is gone: it is nobody's, whoever wrote it.
    for name in keepings where segments[name.launch] == nil && ledgers[name.launch] == nil {
      if let identity = identity(in: name, .keeping), isAlive(identity) { continue }
      directory.remove(name)
    }
  }

  private func adopt(
    _ launch: LaunchID, segments: [UInt64], ledger: JournalFileName?, allLedgers: [LaunchID: JournalFileName]
  ) {
    let names = segments.map { JournalFileName.segment(launch, index: $0) }
    if isOutOfReach(ledger, names) { return }
    let identity =
      ledger.flatMap { self.identity(in: $0, .ledger) }
      ?? names.lazy.compactMap { self.identity(in: $0, .segment) }.first { $0.launch == launch }
    if let identity, isAlive(identity) { return }
    if identity?.owner != self.identity.owner, !isAbandoned([ledger].compactMap { $0 } + names) { return }
    guard let name = claim(launch, ledger, allLedgers) else { return }

    let stored = StoredLaunch(
      id: launch, isOwn: false, created: identity?.created ?? 0, segmentSize: segmentSize(identity, names),
      ledger: LedgerFile(path: directory.path(of: name)), ledgerName: name,
      keeping: KeepingFile(of: launch, identity: identity ?? self.identity, in: directory))
    stored.keeping.load()
    for (index, name) in zip(segments, names) { stored.segments[index] = size(of: name) }
    if let finisher = stored.ledger.account.finisher, finisher != own.id {
      // Its ledger was delivered by a launch that is over now as well.
      stored.segments.keys.forEach { directory.remove(.segment(launch, index: $0)) }
      stored.keeping.remove()
      directory.remove(name)
      return
    }
    if stored.ledger.account.doomed > 0 { remove(stored.ledger.account.doomed &- 1, of: stored) }
    removeSpares(of: stored)
    launches[launch] = stored
    sweep(stored)
    forgetIfEmpty(stored)
  }

  /// Removes what a launch had ready when it ended: of what stays for days, only what holds something counts.
  private func removeSpares(of launch: StoredLaunch) {
    for index in launch.indices.dropFirst().reversed() {
      guard let file = try? directory.open(.segment(launch.id, index: index)) else { return }
      let head = file.read(at: 0, count: SegmentRing.header)
      file.close()
      guard head.count == SegmentRing.header,
        head.withUnsafeBytes({ $0.loadUnaligned(fromByteOffset: Int(AM_SEGMENT_CURSOR), as: UInt64.self) }) == 0
      else { return }
      remove(index, of: launch)
    }
  }

  /// Removes what is left of a launch that never recorded anything: nobody needs to hear of it.
  private func forgetIfEmpty(_ launch: StoredLaunch) {
    guard launch.ledger.counts.recorded == 0, launch.ledger.account.sequence <= 1,
      read(launch, maximumBytes: 1, maximumRecords: 1) == nil, isResolved(launch),
      launch.keeping.counts == AheadCounts(),
      LaunchLedger(writers: launch.ledger.counts, account: launch.ledger.account, isResolved: true).recorded == 0
    else { return }
    finish(launch)
  }

  /// Takes over a ledger by renaming it: of two processes that try, one succeeds.
  ///
  /// - Returns: its new name; nil when it is somebody else's.
  private func claim(
    _ launch: LaunchID, _ ledger: JournalFileName?, _ allLedgers: [LaunchID: JournalFileName]
  ) -> JournalFileName? {
    let mine = JournalFileName.ledger(launch, claimer: own.id)
    guard let ledger else {
      try? directory.create(mine, size: LedgerFile.size) { _ in }
      return mine
    }
    if case .ledger(_, let claimer?) = ledger {
      if launches[claimer] != nil && claimer != own.id {
        // An earlier launch that is over; so is its claim.
      } else if let name = allLedgers[claimer], let identity = identity(in: name, .ledger), isAlive(identity) {
        return nil
      }
    }
    do {
      try directory.rename(ledger, to: mine)
      return mine
    } catch {
      // Where nothing can be renamed, nothing can be taken away either: read it as it is.
      return error.code == ENOENT ? nil : ledger
    }
  }

  func identity(in name: JournalFileName, _ role: FileIdentity.Role) -> FileIdentity? {
    guard let file = try? directory.open(name) else { return nil }
    defer { file.close() }
    return file.read(at: 0, count: FileIdentity.size).withUnsafeBytes { FileIdentity($0, role: role) }
  }

  /// Whether nobody has written these files for so long that anybody may take them. Not when that is not known.
  private func isAbandoned(_ names: [JournalFileName]) -> Bool {
    guard let newest = names.compactMap({ modified($0) }).max() else { return false }
    return age(of: newest) > options.adoptionAge
  }

  /// Whether what was counted of a launch, or all that it recorded, cannot be opened now. Before a device's first unlock files can be
  /// listed and renamed: whoever took such a launch over would take it for empty.
  private func isOutOfReach(_ ledger: JournalFileName?, _ segments: [JournalFileName]) -> Bool {
    if let ledger, isReadable(ledger) == false { return true }
    let known = segments.lazy.compactMap { self.isReadable($0) }
    return !known.contains(true) && known.contains(false)
  }

  /// Nil when there is no such file.
  private func isReadable(_ name: JournalFileName) -> Bool? {
    do throws(StorageError) {
      try directory.open(name).close()
      return true
    } catch {
      return error.code == ENOENT || error.code == ELOOP ? nil : false
    }
  }

  /// In seconds; 0 for what was written in the future, because then a clock was set back.
  func age(of milliseconds: Int64) -> TimeInterval {
    let (age, overflow) = options.clock().subtractingReportingOverflow(milliseconds)
    return overflow ? 0 : max(0, TimeInterval(age) / 1000)
  }

  func modified(_ name: JournalFileName) -> Int64? {
    guard let file = try? directory.open(name) else { return nil }
    defer { file.close() }
    return file.modified
  }

  private func size(of name: JournalFileName) -> Int {
    guard let file = try? directory.open(name) else { return 0 }
    defer { file.close() }
    return file.size
  }

  /// What the headers say, or else the size of the longest file.
  private func segmentSize(_ identity: FileIdentity?, _ names: [JournalFileName]) -> Int {
    let bounds = 4096...1 << 20
    if let size = identity?.segmentSize, bounds.contains(size) { return size }
    let longest = names.map { size(of: $0) }.max() ?? 0
    return min(max(longest, bounds.lowerBound), bounds.upperBound)
  }
}
