import AutoMobileState
import Foundation
import Logging
import NIOConcurrencyHelpers

/// Who did what. Entries are written some at a time, so that reading costs no sync of its own: a process that is killed
/// loses those of the last second.
final class AuditLog: Sendable {
  /// How long entries are kept, and how many.
  struct Keeping: Sendable {
    var days = 365
    var rows: Int64 = 1_000_000
  }

  /// Entries that are written together, under a name: written again, they are there once.
  private struct Batch: Sendable {
    let name = UUID().uuidString
    let entries: [AuditEntry]
  }

  private struct State: Sendable {
    var waiting: [AuditEntry] = []
    /// What was to be written, and was not, or may not have been; before all that waits.
    var unwritten: Batch?
    /// Somebody will write what waits.
    var isWriting = false
    /// The last one who writes, or has written.
    var writer: Task<Void, Never>?
    var isClosed = false
    /// When the same was noted last, so that a page that asks a hundred things of a session is one entry.
    var noted: [String: Int64] = [:]
    var refusals = 0
    var refusalsSince: Int64 = 0
    var purgedAt: Int64 = 0

    /// All that is to be written, the oldest first.
    mutating func take() -> [Batch] {
      defer { (unwritten, waiting) = (nil, []) }
      return [unwritten, waiting.isEmpty ? nil : Batch(entries: waiting)].compactMap(\.self)
    }
  }

  /// The same by the same somebody is one entry within so long; milliseconds.
  static let sameFor: Int64 = 600_000
  private static let mostNoted = 4096
  private static let mostWaiting = 10_000
  /// Refusals in a minute; whoever tries everything does not fill the log.
  private static let mostRefusals = 120
  private static let purgeInterval: Int64 = 3_600_000

  private let store: any StateStore
  private let keeping: Keeping
  private let logger: Logger
  private let state = NIOLockedValueBox(State())

  init(_ store: any StateStore, keeping: Keeping, logger: Logger) {
    self.store = store
    self.keeping = keeping
    self.logger = logger
  }

  func note(_ entry: AuditEntry) {
    let isFirst: Bool = state.withLockedValue { state in
      guard !state.isClosed, isNew(entry, &state), state.waiting.count < Self.mostWaiting else { return false }
      state.waiting.append(entry)
      defer { state.isWriting = true }
      return !state.isWriting
    }
    guard isFirst else { return }
    Task { [self] in
      // Others come meanwhile; changes do not wait.
      if entry.action == .read || entry.action == .export { try? await Task.sleep(for: .milliseconds(500)) }
      await write()
    }
  }

  /// A page of what was noted, those included that are not written yet.
  func page(_ filter: AuditTables.Filter) async throws -> [AuditEntry] {
    await write()
    return try await store.read { try AuditTables.page(filter, in: $0) }
  }

  /// Writes what waits; nothing is noted any more. Where the state does not answer, it is waited for once.
  func close() {
    let left = state.withLockedValue { state in
      state.isClosed = true
      return state.take()
    }
    for (number, batch) in left.enumerated() {
      do {
        try store.writeNow { try AuditTables.insert(batch.entries, as: batch.name, at: WallClock.now, in: $0) }
      } catch {
        let isAway = (error as? StateError).map { $0.isPassing || $0.kind == .unknown } ?? false
        let lost = isAway ? left.dropFirst(number) : [batch]
        logger.error(
          "the audit log could not be written",
          metadata: ["error": "\(error)", "entries": "\(lost.reduce(0) { $0 + $1.entries.count })"])
        if isAway { return }
      }
    }
  }

  /// Returns when everything that was noted before is written: another one may be at some of it.
  private func write() async {
    let writer = state.withLockedValue { state in
      let before = state.writer
      let writer = Task {
        await before?.value
        await self.writeWaiting()
      }
      state.writer = writer
      return writer
    }
    await writer.value
  }

  private func writeWaiting() async {
    let now = WallClock.now
    let (batches, purges) = state.withLockedValue { state in
      state.isWriting = false
      let purges = now - state.purgedAt >= Self.purgeInterval
      if purges { state.purgedAt = now }
      return (state.take(), purges)
    }
    for (number, batch) in batches.enumerated() {
      guard await write(batch, at: now, purges: purges) else {
        return writeLater(batch, batches.dropFirst(number + 1).flatMap(\.entries))
      }
    }
  }

  /// - Returns: false when it is to be written again, since it was not, or may not have been.
  private func write(_ batch: Batch, at now: Int64, purges: Bool) async -> Bool {
    do {
      try await store.write { [keeping] state in
        try AuditTables.insert(batch.entries, as: batch.name, at: now, in: state)
        if purges {
          try AuditTables.purge(
            before: now - Int64(keeping.days) * 86_400_000, beyond: keeping.rows, at: now, in: state)
        }
      }
    } catch let error as StateError where error.isPassing || error.kind == .unknown {
      logger.error("the audit log waits for its database", metadata: ["error": "\(error)"])
      return false
    } catch {
      logger.error(
        "the audit log could not be written", metadata: ["error": "\(error)", "entries": "\(batch.entries.count)"])
    }
    return true
  }

  /// What is read from memory while the state is away is noted all the same.
  ///
  /// - Parameter untried: what comes after it, and was under no name yet.
  private func writeLater(_ batch: Batch, _ untried: [AuditEntry]) {
    state.withLockedValue { state in
      guard !state.isClosed else { return }
      state.unwritten = batch
      state.waiting = Array((untried + state.waiting).prefix(Self.mostWaiting))
      state.isWriting = true
    }
    Task { [self] in
      try? await Task.sleep(for: .seconds(2))
      await write()
    }
  }

  /// Whether it says something that has not just been said.
  private func isNew(_ entry: AuditEntry, _ state: inout State) -> Bool {
    switch entry.action {
    case .change, .signIn, .signOut: return true
    case .read, .export, .refused: break
    }
    let key = [entry.by, entry.who, entry.address ?? "", entry.action.rawValue, entry.route, entry.thing ?? ""]
      .joined(separator: "\n")
    if let last = state.noted[key], entry.at - last < Self.sameFor, entry.at >= last { return false }
    if entry.action == .refused {
      if entry.at - state.refusalsSince >= 60_000 || entry.at < state.refusalsSince {
        (state.refusals, state.refusalsSince) = (0, entry.at)
      }
      guard state.refusals < Self.mostRefusals else { return false }
      state.refusals += 1
    }
    if state.noted.count >= Self.mostNoted { state.noted = [:] }
    state.noted[key] = entry.at
    return true
  }
}
