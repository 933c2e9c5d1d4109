import Foundation
import GRDB
import NIOConcurrencyHelpers

/// The marks of erasures (``ErasureMarks``) as a value, for who reads no rows of the index while it works: about a hundred bytes for each.
struct ErasedNames: Sendable {
  private let key: [UInt8]
  /// When it was asked for, by hash.
  private let marks: [Data: Int64]

  /// nil: nothing is marked.
  init?(_ database: Database) throws {
    var marks: [Data: Int64] = [:]
    let rows = try Row.fetchCursor(database, sql: "SELECT hash, at FROM erasure_mark")
    while let row = try rows.next() { marks[row[0] as Data] = row[1] as Int64 }
    guard !marks.isEmpty else { return nil }
    key = try ErasureMarks.key(in: database)
    self.marks = marks
  }

  /// When the erasure of a name of an app's was asked for; nil: it is not marked.
  func mark(_ kind: ErasureMarks.Kind, _ name: String, of owner: DataOwner) -> Int64? {
    for owner in [owner.name, ErasureMarks.anyOwner] {
      if let at = marks[ErasureMarks.hash(kind, name, owner: owner, key)] { return at }
    }
    return nil
  }

  func isErased(session: String, of owner: DataOwner) -> Bool { mark(.session, session, of: owner) != nil }

  /// When the erasure of whoever a context names was asked for.
  func mark(of context: ContextRecord, _ owner: DataOwner) -> Int64? {
    if let user = context.userId, let at = mark(.user, user, of: owner) { return at }
    return context.anonymousId.flatMap { mark(.device, $0, of: owner) }
  }

  /// By what a context of an erased session is marked, so that what names it alone is known.
  static func context(_ number: Int64, of launch: String) -> String { "\(launch) \(number)" }
}

/// The names as they are now, read again when they have changed.
final class ErasedNamesCache: Sendable {
  private struct Known: Sendable {
    var names: ErasedNames?
    var isRead = false
    /// Counts changes.
    var version = 0
  }

  private let store: EventStore
  private let known = NIOLockedValueBox(Known())

  init(_ store: EventStore) { self.store = store }

  /// To be called when marks were committed: what begins afterwards knows them.
  func changed() {
    known.withLockedValue {
      $0.isRead = false
      $0.version += 1
    }
  }

  /// Blocks: not for an event loop.
  func current() throws -> ErasedNames? {
    let (before, names) = known.withLockedValue { ($0.version, $0.isRead ? Optional($0.names) : nil) }
    if let names { return names }
    let read = try store.pool.read { try ErasedNames($0) }
    known.withLockedValue {
      guard $0.version == before else { return }
      ($0.names, $0.isRead) = (read, true)
    }
    return read
  }
}
