import AutoMobileJournal
import Foundation
import GRDB
import NIOConcurrencyHelpers
import NIOCore

/// Packs on this machine's disk: the one that bodies are appended to, and full ones until the blob store has them.
///
/// What is appended is durable before it is acknowledged, also where the blob store takes whole blobs only and is far away.
final class PackSpool: Sendable {
  /// So much waits for the blob store that nothing more is taken.
  struct Full: Error, Equatable { var bytes: Int64 }

  /// A pack that nothing is appended to any more.
  struct Sealed: Sendable, Equatable {
    var name: BlobName
    var bytes: Int64
    var path: String
  }

  private struct Open {
    var name: BlobName
    var file: FileDescriptor
    var bytes: Int64
    var since: ContinuousClock.Instant
  }

  private struct State {
    var open: Open?
    var number = 0
    var sealed: [BlobName: Int64] = [:]
    /// On their way to the blob store.
    var leaving: Set<BlobName> = []
    /// Bodies that were appended and do not stand in the index yet, by pack.
    var pinned: [BlobName: Int] = [:]

    var bytes: Int64 { sealed.values.reduce(open?.bytes ?? 0, +) }
  }

  /// A pack takes nothing more when it is this large, in bytes; a body that is larger has a pack of its own.
  static let usualSize: Int64 = 4 << 20
  private let size: Int64
  private let limit: Int64
  private let directory: String
  /// Of this start: no other one, here or elsewhere, makes a pack of the same name, or appends to one that a process that died
  /// had not finished.
  private let prefix = BlobName.unique()
  private let state: NIOLockedValueBox<State>

  /// Takes up what earlier runs have left.
  ///
  /// - Parameter limit: of all that is here, in bytes.
  init(directory: String, size: Int64 = usualSize, limit: Int64 = .max) throws {
    self.directory = directory
    self.size = size
    self.limit = limit
    try PrivateFiles.createDirectory(directory)
    var state = State()
    for file in try FileManager.default.contentsOfDirectory(atPath: directory) {
      guard let name = BlobName(.replays, file), let bytes = try FileBytes.size("\(directory)/\(file)") else {
        continue
      }
      state.sealed[name] = bytes
    }
    self.state = NIOLockedValueBox(state)
  }

  /// Removes packs of which nothing stands in the index: an earlier run ended before anybody was told that it had something.
  func forgetUnknown(_ store: EventStore) throws {
    let known = try store.pool.read { try Set(String.fetchAll($0, sql: "SELECT name FROM replay_pack")) }
    for name in waiting where !known.contains(name.file) { try remove(name) }
  }

  /// To read only.
  init(reading directory: String) {
    self.directory = directory
    size = 0
    limit = 0
    state = NIOLockedValueBox(State())
  }

  private func path(_ name: BlobName) -> String { "\(directory)/\(name.file)" }

  // MARK: Writing

  /// Appends a body and waits until the disk has it. Blocks: not for an event loop. Its pack stays here until ``settle(_:)``.
  ///
  /// - Throws: ``Full``; `SystemError`: nothing points to what may have been written then.
  func append(_ body: ByteBuffer) throws -> ReplayPacks.Place {
    try state.withLockedValue { state in
      let length = Int64(body.readableBytes)
      let used = state.bytes
      guard length <= limit - min(used, limit) else { throw Full(bytes: used) }
      if let open = state.open, open.bytes > 0, open.bytes + length > size { Self.seal(&state) }
      if state.open == nil { state.open = try begin(&state) }
      guard var open = state.open else { throw SystemError("open", directory, code: EIO) }
      try FileBytes.write(body, to: open.file, path(open.name), at: open.bytes)
      try FileBytes.sync(open.file, path(open.name))
      let checksum = body.withUnsafeReadableBytes { Int64(CRC32C.checksum(of: $0)) }
      let place = ReplayPacks.Place(pack: open.name, offset: open.bytes, length: length, checksum: checksum)
      open.bytes += length
      state.open = open
      state.pinned[open.name, default: 0] += 1
      return place
    }
  }

  private func begin(_ state: inout State) throws -> Open {
    state.number += 1
    guard let name = BlobName(.replays, "\(prefix)-\(state.number).pack") else {
      throw SystemError("open", directory, code: EINVAL)
    }
    let file = try FileDescriptor(
      creating: path(name), flags: O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions: PrivateFiles.file)
    try FileBytes.syncDirectory(directory)
    return Open(name: name, file: file, bytes: 0, since: .now)
  }

  private static func seal(_ state: inout State) {
    guard let open = state.open, open.bytes > 0 else { return }
    state.sealed[open.name] = open.bytes
    state.open = nil
  }

  /// A body that was appended stands in the index now, or never will.
  func settle(_ place: ReplayPacks.Place) {
    state.withLockedValue { state in
      let count = (state.pinned[place.pack] ?? 0) - 1
      state.pinned[place.pack] = count > 0 ? count : nil
    }
  }

  /// Closes the pack that is written to when it has been for so many seconds.
  func seal(after seconds: Double) {
    state.withLockedValue { state in
      if let open = state.open, .now - open.since >= .seconds(seconds) { Self.seal(&state) }
    }
  }

  // MARK: Leaving

  /// Packs to be put into the blob store, marked as on their way.
  func take(_ count: Int) -> [Sealed] {
    state.withLockedValue { state in
      let free = state.sealed.filter { !state.leaving.contains($0.key) && state.pinned[$0.key] == nil }
      let taken = free.sorted { $0.key < $1.key }.prefix(count)
      state.leaving.formUnion(taken.map(\.key))
      return taken.map { Sealed(name: $0.key, bytes: $0.value, path: path($0.key)) }
    }
  }

  /// A pack is on its way no more. When the blob store has it, it is not needed here.
  func giveBack(_ name: BlobName, isStored: Bool) throws {
    defer { state.withLockedValue { _ = $0.leaving.remove(name) } }
    guard isStored else { return }
    try FileBytes.remove(path(name))
    state.withLockedValue { $0.sealed[name] = nil }
  }

  /// Nothing of a pack is needed any more.
  func remove(_ name: BlobName) throws {
    try FileBytes.remove(path(name))
    state.withLockedValue { $0.sealed[name] = nil }
  }

  /// Whether nothing is appended to a pack any more, everything that was stands in the index, and it is not on its way.
  func isAtRest(_ name: BlobName) -> Bool {
    state.withLockedValue {
      $0.open?.name != name && $0.pinned[name] == nil && !$0.leaving.contains(name)
    }
  }

  // MARK: Reading

  /// Whether it is here, open or waiting.
  func holds(_ name: BlobName) -> Bool { state.withLockedValue { $0.open?.name == name || $0.sealed[name] != nil } }

  /// The bytes at a place; nil when the pack is not here (any more), or ends before.
  func read(_ place: ReplayPacks.Place) throws -> ByteBuffer? {
    do {
      return try FileBytes.read(path(place.pack), place.range)
    } catch let error as SystemError where error.code == ENOENT {
      return nil
    }
  }

  /// Of a sealed pack that is here, in bytes.
  func size(of name: BlobName) -> Int64? { state.withLockedValue { $0.sealed[name] } }

  /// What is here, in bytes.
  var bytes: Int64 { state.withLockedValue { $0.bytes } }
  /// Packs that are full and wait.
  var waiting: [BlobName] { state.withLockedValue { $0.sealed.keys.sorted() } }
  /// Whether so much is here that nothing should come that need not.
  var isHalfFull: Bool { bytes > limit / 2 }
}
