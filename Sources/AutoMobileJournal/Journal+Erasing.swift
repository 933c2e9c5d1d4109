import Foundation

extension Journal {
  /// Removes everything that has been recorded, by this launch and by earlier ones. What this launch had not delivered counts
  /// as ``LossReason/erased``.
  ///
  ///     journal.erase()
  ///
  /// Any thread; reads and writes the disk. What is appended meanwhile is erased, or comes after it.
  ///
  /// - Parameters:
  ///   - everybodys: also what others keep in the same directory, running launches of other processes included: these go on
  ///     recording into files that nobody sees, until their next segments.
  ///   - thenKeep: false when nothing is to be on disk from then on, until ``resumeKeeping()``.
  package func erase(everybodys: Bool = false, thenKeep: Bool = true) {
    guard !store.ring.isForeign else { return }
    store.lock.withLock {
      store.erase(everybodys: everybodys)
      if !thenKeep { store.park() }
    }
    keeper.wake()
  }

  /// Removes what launches before a moment have recorded, but for this one: for whoever ends what an earlier launch was to erase.
  ///
  /// Any thread; reads and writes the disk.
  ///
  /// - Parameters:
  ///   - before: in milliseconds since 1970. What began later was not meant.
  ///   - everybodys: as for ``erase(everybodys:thenKeep:)``.
  package func eraseEarlier(before: Int64, everybodys: Bool) {
    guard !store.ring.isForeign else { return }
    store.lock.withLock { store.eraseEarlier(before: before, everybodys: everybodys) }
  }

  /// Keeps on disk what is recorded, after an erasure that ended that. Returns at once.
  package func resumeKeeping() {
    guard !store.ring.isForeign else { return }
    let wasParked = store.lock.withLock {
      defer { store.unpark() }
      return store.isParked
    }
    if wasParked { keeper.wake() }
  }

  /// Removes what has been recorded in a directory, for a process that records nothing there. Reads and writes the disk.
  ///
  /// - Parameter owner: whose it is; nil: everybody's, running launches of other processes included, as for
  ///   ``erase(everybodys:thenKeep:)``.
  package static func eraseLeft(in directory: URL, by owner: String?) {
    let files = JournalDirectory(directory)
    let hash = owner.map { FileIdentity.hash(owner: $0) }
    for name in files.names() where hash == nil || files.owner(of: name) == hash { files.remove(name) }
  }

  /// Whether what is left of a journal in a directory, if there is one, is an owner's. Reads the disk.
  package static func isLeft(by owner: String, in directory: URL) -> Bool {
    let files = JournalDirectory(directory)
    let hash = FileIdentity.hash(owner: owner)
    return files.names().contains { files.owner(of: $0) == hash }
  }
}

extension JournalDirectory {
  /// Nil when the file cannot be read, or says nothing of an owner.
  fileprivate func owner(of name: JournalFileName) -> UInt64? {
    guard let file = try? open(name) else { return nil }
    defer { file.close() }
    return file.read(at: 0, count: SegmentRing.header).withUnsafeBytes {
      FileIdentity($0, role: name.role)?.owner
    }
  }
}
