import Foundation
import GRDB
import NIOConcurrencyHelpers

/// The marks of erasures (``ErasureMarks``) as a value, for who reads no rows of the index while it works: about a hundred bytes for each.
struct ErasedNames: Sendable {
  private struct Keyed: Sendable {
    var key: [UInt8]
    /// When it was asked for, by hash.
    var marks: [Data: Int64]
  }

  /// Of each collector that has erased something.
  private let all: [Keyed]

  /// nil: nothing is marked.
  init?(_ database: Database) throws {
    var own: [Data: Int64] = [:]
    let rows = try Row.fetchCursor(database, sql: "SELECT hash, at FROM erasure_mark")
    while let row = try rows.next() { own[row[0] as Data] = row[1] as Int64 }
    // What this one has told is among those of all.
    var keyed: [Data: [Data: Int64]] = [:]
    let shared = try Row.fetchCursor(
      database, sql: "SELECT secret, hash, at FROM erased_name WHERE ends > ?", arguments: [WallClock.now])
    while let row = try shared.next() {
      let (secret, hash, at): (Data, Data, Int64) = (row[0], row[1], row[2])
      keyed[secret, default: [:]][hash] = at
    }
    if !own.isEmpty {
      let secret = Data(try ErasureMarks.key(in: database))
      keyed[secret, default: [:]].merge(own) { max($0, $1) }
    }
    guard !keyed.isEmpty else { return nil }
    all = keyed.map { Keyed(key: Array($0.key), marks: $0.value) }
  }

  /// When the erasure of a name of an app's was asked for; nil: it is not marked.
  func mark(_ kind: ErasureMarks.Kind, _ name: String, of owner: DataOwner) -> Int64? {
    var latest: Int64?
    for keyed in all {
      for owner in [owner.name, ErasureMarks.anyOwner] {
        guard let at = keyed.marks[ErasureMarks.hash(kind, name, owner: owner, keyed.key)] else { continue }
        latest = max(latest ?? at, at)
      }
    }
    return latest
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
    /// Of ``EventStore/marksVersion``, before they were read.
    var version: Int
  }

  private let store: EventStore
  private let known = NIOLockedValueBox<Known?>(nil)

  init(_ store: EventStore) { self.store = store }

  /// To be called when marks were committed: what begins afterwards knows them.
  func changed() { store.marksVersion.withLockedValue { $0 += 1 } }

  /// Blocks: not for an event loop.
  func current() throws -> ErasedNames? {
    let version = store.marksVersion.withLockedValue { $0 }
    if let known = known.withLockedValue({ $0 }), known.version == version { return known.names }
    let names = try store.pool.read { try ErasedNames($0) }
    known.withLockedValue { $0 = Known(names: names, version: version) }
    return names
  }
}
