import AutoMobileJournal
import AutoMobileState
import Foundation
import GRDB
import Logging
import NIOCore

/// A data directory without its collector: its blobs are moved to another store, or looked at.
package struct StoreMaintenance: Sendable {
  private let directory: DataDirectory
  private let url: URL
  private let store: EventStore
  /// Nil: in the index.
  private let state: (any StateStore)?

  /// - Parameter place: where the collector's state is.
  /// - Throws: ``CollectorError`` when a collector uses the directory, or when there is none.
  package init(_ url: URL, state place: StatePlace = .folder) throws {
    try self.init(url) { try place.open(password: nil) }
  }

  /// - Parameter open: opens a state that is elsewhere.
  init(_ url: URL, opening open: () throws -> (any StateStore)?) throws {
    guard FileManager.default.fileExists(atPath: url.appending(path: "index.sqlite").path) else {
      throw CollectorError.directoryUnusable(path: url.path, reason: "there is no collector's data in it")
    }
    self.url = url
    directory = try DataDirectory(url)
    state = try open()
    store = try EventStore(reading: directory.index, state: state)
    try StateMark.check(store)
  }

  package func close() { try? store.close() }

  /// Where the blobs are, as the index has it: `folder`, or `s3://bucket/prefix`.
  package var known: String { get throws { try BlobMark.known(in: store.own) } }

  /// How far one is.
  package struct Progress: Sendable {
    package var done = 0
    package var all = 0
    package var bytes: Int64 = 0
  }

  // MARK: Moving

  /// Copies every blob that the index points to, reads each back and compares it, byte for byte; then has the index point to the
  /// new store, and removes them from the old one. It can be ended at any time, and goes on where it was: what is there already is
  /// compared again. Packs that wait on the disk stay there, and go to the new store with the next start.
  ///
  /// Symbols and sources of a state that collectors share go with the first of them that moves; the others move what is their own.
  ///
  /// - Throws: ``BlobError``, ``CollectorError``.
  package func move(
    from old: BlobPlace, to new: BlobPlace, keeping: Bool, credentials: S3Credentials? = nil,
    onProgress: (Progress) -> Void = { _ in }
  ) async throws -> Progress {
    // By their marks: the same bucket by another name of its host would be copied onto itself, and then removed.
    guard old.mark != new.mark else {
      throw BlobError(.refused, "the blobs are there already: name another bucket, or another prefix")
    }
    // What an earlier run could not finish: the index points to the new store, and the old one is not empty yet.
    let isMoved = try checkMarks(old, new)
    let (from, to) = (try old.open(url, credentials), try new.open(url, credentials))
    try await to.check()
    let waiting = Set(try PackSpool(directory: directory.packs).waiting)
    let sizes = try await BlobReferences.read(store).blobs.filter { !waiting.contains($0.key) }
    let names = sizes.keys.sorted()
    var progress = Progress(all: names.count)
    if !isMoved {
      for name in names {
        progress.bytes += try await copy(name, sizes[name] ?? nil, from: from, to: to)
        progress.done += 1
        onProgress(progress)
      }
      let writer = try EventStore(
        path: directory.index, fullText: store.hasFullText, maximumDepth: store.maximumDepth, state: state)
      // What it shares with the other one is closed with that.
      defer { try? writer.closeIndex() }
      try await BlobMark.set(new, in: writer.states)
    }
    progress.done = names.count
    guard !keeping else { return progress }
    for name in names {
      // Only what is whole in the new store is removed from the old one.
      guard try await to.size(of: name) != nil else { continue }
      try await from.remove(name)
    }
    return progress
  }

  /// - Returns: whether all that is left is to empty the old store.
  /// - Throws: ``CollectorError`` when the blobs are in neither of the places, or in another collector's data directory.
  private func checkMarks(_ old: BlobPlace, _ new: BlobPlace) throws -> Bool {
    var marks = [try known]
    if store.sharesState {
      marks.append(try BlobMark.known(in: store.state))
      let directory = try BlobMark.knownDirectory(in: store.own)
      try store.state.readNow { state in
        for place in [old, new] { try BlobMark.check(place, in: directory, state) }
      }
    }
    for mark in marks where mark != old.mark && mark != new.mark {
      throw CollectorError.blobsElsewhere(known: mark, given: old.mark)
    }
    return marks.allSatisfy { $0 == new.mark }
  }

  /// - Parameter size: as the index or the state has it, if it does.
  private func copy(
    _ name: BlobName, _ known: Int64?, from: any BlobStore, to: any BlobStore
  ) async throws -> Int64 {
    guard let size = try await from.size(of: name) else {
      // Another collector of this state has moved it.
      if store.sharesState, let there = try await to.size(of: name), known ?? there == there { return there }
      throw BlobError(
        .missing, "\(from.place)/\(name) is missing: look with “automobile store check”, and restore it from a backup")
    }
    let part = "\(directory.path)/moving\(BlobName.unfinished)"
    // What an earlier run has left.
    unlink(part)
    defer { unlink(part) }
    let file = try FileDescriptor(
      creating: part, flags: O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, permissions: PrivateFiles.file)
    let wanted = try await Self.checksum(name, size, in: from) { piece, offset in
      try FileBytes.write(piece, to: file, part, at: offset)
    }
    if try await to.size(of: name) != size { try await to.put(.file(part), as: name) }
    guard try await Self.checksum(name, size, in: to) == wanted else {
      throw BlobError(.damaged, "\(to.place)/\(name) is not what \(from.place) has: remove it there, and move again")
    }
    return size
  }

  /// Of the whole, read from its store.
  private static func checksum(
    _ name: BlobName, _ size: Int64, in blobs: any BlobStore, _ take: (ByteBuffer, Int64) throws -> Void = { _, _ in }
  ) async throws -> UInt32 {
    var checksum: UInt32 = 0
    for start in stride(from: 0, to: size, by: Int(BlobLimits.piece)) {
      let piece = try await blobs.get(name, start..<min(size, start + BlobLimits.piece))
      checksum = piece.withUnsafeReadableBytes { CRC32C.checksum(of: $0, after: checksum) }
      try take(piece, start)
    }
    return checksum
  }

  // MARK: Looking

  /// What was found.
  package struct Report: Sendable {
    package var blobs = 0
    package var bodies = 0
    package var bytes: Int64 = 0
    /// One line each: what cannot be read, and why.
    package var problems: [String] = []
    /// Blobs that nothing in this index points to: left over, or another collector's.
    package var strangers: [BlobEntry] = []
  }

  /// Reads everything that the index points to, and compares it with its checksums and sizes.
  ///
  /// - Throws: ``BlobError`` when the store does not answer.
  package func check(
    _ place: BlobPlace, credentials: S3Credentials? = nil, onProgress: (Progress) -> Void = { _ in }
  ) async throws -> Report {
    _ = try BlobMark.check(place, in: store.states)
    let blobs = try place.open(url, credentials)
    let packs = ReplayPacks(spool: try PackSpool(directory: directory.packs), blobs: blobs)
    let references = try await BlobReferences.read(store)
    var report = Report()
    var progress = Progress(all: references.blobs.count)
    for name in references.blobs.keys.sorted() {
      switch name.folder {
      case .replays: try await check(pack: name, packs, &report)
      case .symbols: try await check(name, size: references.blobs[name] ?? nil, blobs, &report)
      }
      report.blobs += 1
      progress.done += 1
      progress.bytes = report.bytes
      onProgress(progress)
    }
    for folder in BlobName.Folder.allCases {
      var last: BlobName?
      while case let page = try await blobs.list(folder, after: last), !page.isEmpty {
        report.strangers += page.filter {
          references.blobs[$0.name] == nil && !references.leaving.contains($0.name)
        }
        last = page.last?.name
      }
    }
    return report
  }

  private func check(pack: BlobName, _ packs: ReplayPacks, _ report: inout Report) async throws {
    let places = try await store.pool.read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT name, offset, length, checksum FROM replay_segment JOIN replay_pack ON replay_pack.id = pack
          WHERE name = ? ORDER BY offset
          """, arguments: [pack.file]
      ).compactMap(ReplayPacks.Place.init)
    }
    for place in places {
      report.bodies += 1
      do {
        report.bytes += Int64(try await packs.read(place).readableBytes)
      } catch let error as BlobError where error.answer == nil {
        report.problems.append("\(error)")
      }
    }
  }

  private func check(_ name: BlobName, size: Int64?, _ blobs: any BlobStore, _ report: inout Report) async throws {
    let found = try await blobs.size(of: name)
    guard let found, size == nil || found == size else {
      report.problems.append(
        found == nil
          ? "\(blobs.place)/\(name) is missing" : "\(blobs.place)/\(name) has \(found ?? 0) bytes, not \(size ?? 0)")
      return
    }
    _ = try await Self.checksum(name, found, in: blobs)
    report.bytes += found
  }
}
