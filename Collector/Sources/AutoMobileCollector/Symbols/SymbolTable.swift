import Foundation
import GRDB

/// Which builds' symbols and sources are kept, and as which blobs: in the index.
struct SymbolTable: Sendable {
  let store: EventStore

  /// What is known of a build's symbols.
  struct Known: Sendable {
    var entry: SymbolStore.Entry
    var blob: BlobName
  }

  /// Of a build's sources.
  struct Sources: Sendable, Equatable {
    var blob: BlobName
    var bytes: Int64
  }

  func all() throws -> [Known] {
    try store.pool.read { database in
      try Row.fetchAll(database, sql: "SELECT entry, blob FROM symbol_build").compactMap { row in
        guard let blob = BlobName(.symbols, row[1]),
          let entry = try? JSONDecoder().decode(SymbolStore.Entry.self, from: Data((row[0] as String).utf8)),
          SymbolID(entry.id)?.text == entry.id
        else { return nil }
        return Known(entry: entry, blob: blob)
      }
    }
  }

  /// In the place of what was known of the build.
  func set(_ known: Known) async throws {
    let entry = String(decoding: try JSONEncoder().encode(known.entry), as: UTF8.self)
    try await store.pool.write { database in
      try Self.leave(known.entry.id, in: database)
      try database.execute(
        sql: "INSERT INTO symbol_build VALUES (?, ?, ?)", arguments: [known.entry.id, known.blob.file, entry])
    }
  }

  func remove(_ id: SymbolID) async throws {
    try await store.pool.write { try Self.leave(id.text, in: $0) }
  }

  private static func leave(_ id: String, in database: Database) throws {
    let blob = try String.fetchOne(database, sql: "SELECT blob FROM symbol_build WHERE id = ?", arguments: [id])
    try database.execute(sql: "DELETE FROM symbol_build WHERE id = ?", arguments: [id])
    if let name = blob.flatMap({ BlobName(.symbols, $0) }) { try BlobRemovals.add(name, in: database) }
  }

  // MARK: Sources

  func sources(of id: SymbolID) async throws -> Sources? {
    try await store.pool.read { database in
      guard
        let row = try Row.fetchOne(
          database, sql: "SELECT blob, bytes FROM source_build WHERE id = ?", arguments: [id.text]),
        let blob = BlobName(.symbols, row[0])
      else { return nil }
      return Sources(blob: blob, bytes: row[1])
    }
  }

  /// Of all builds, each blob once, in bytes.
  func sourceBytes() async throws -> Int64 {
    try await store.pool.read {
      try Int64.fetchOne($0, sql: "SELECT SUM(bytes) FROM (SELECT DISTINCT blob, bytes FROM source_build)") ?? 0
    }
  }

  /// For each of these builds in the place of what was there.
  func set(_ sources: Sources, for builds: [SymbolID]) async throws {
    try await store.pool.write { database in
      for build in builds {
        try Self.leaveSources(build.text, in: database)
        try database.execute(
          sql: "INSERT INTO source_build VALUES (?, ?, ?)",
          arguments: [build.text, sources.blob.file, sources.bytes])
      }
    }
  }

  func removeSources(of id: SymbolID) async throws {
    try await store.pool.write { try Self.leaveSources(id.text, in: $0) }
  }

  private static func leaveSources(_ id: String, in database: Database) throws {
    let blob = try String.fetchOne(database, sql: "SELECT blob FROM source_build WHERE id = ?", arguments: [id])
    try database.execute(sql: "DELETE FROM source_build WHERE id = ?", arguments: [id])
    guard let blob, let name = BlobName(.symbols, blob) else { return }
    let isShared = try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM source_build WHERE blob = ?)", arguments: [blob])
    if isShared == false { try BlobRemovals.add(name, in: database) }
  }
}

extension SymbolTable {
  /// Takes up what an earlier version has left in `DATA/symbols`: `ID.sym` with what is known of it in `ID.json`, and `ID.src`.
  /// The files stay where they are. The descriptions go once the index has them; until then the same can be done again.
  func takeUp(_ directory: URL) throws {
    guard let files = try? FileManager.default.contentsOfDirectory(atPath: directory.path) else { return }
    for file in files.sorted() where file.hasSuffix(".json") || file.hasSuffix(".src") {
      guard let id = SymbolID(file.prefix { $0 != "." }), file.hasPrefix(id.text + ".") else { continue }
      if file == id.text + ".json" { try takeUpSymbols(of: id, directory) }
      if file == id.text + ".src" { try takeUpSources(of: id, directory) }
    }
  }

  private func takeUpSymbols(of id: SymbolID, _ directory: URL) throws {
    let description = directory.appending(path: id.text + ".json")
    if let blob = BlobName(.symbols, id.text + ".sym"), let data = try? Data(contentsOf: description),
      (try? JSONDecoder().decode(SymbolStore.Entry.self, from: data))?.id == id.text,
      try FileBytes.size(directory.appending(path: blob.file).path) != nil
    {
      try store.pool.write { database in
        try database.execute(
          sql: "INSERT OR IGNORE INTO symbol_build VALUES (?, ?, ?)",
          arguments: [id.text, blob.file, String(decoding: data, as: UTF8.self)])
      }
    }
    try FileBytes.remove(description.path)
  }

  private func takeUpSources(of id: SymbolID, _ directory: URL) throws {
    guard let blob = BlobName(.symbols, id.text + ".src"),
      let bytes = try FileBytes.size(directory.appending(path: blob.file).path)
    else { return }
    try store.pool.write { database in
      // Its builds have left it, and it is about to go.
      guard try !BlobRemovals.contains(blob, in: database) else { return }
      try database.execute(
        sql: "INSERT OR IGNORE INTO source_build VALUES (?, ?, ?)", arguments: [id.text, blob.file, bytes])
    }
  }
}
