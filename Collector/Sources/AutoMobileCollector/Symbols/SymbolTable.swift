import AutoMobileState
import Foundation

/// Which builds' symbols and sources are kept, and as which blobs: in the state.
struct SymbolTable: Sendable {
  let state: any StateStore

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

  /// By the build's id.
  static func all(in state: borrowing StateReading) throws -> [String: Known] {
    var all: [String: Known] = [:]
    for row in try state.rows("SELECT entry, blob FROM symbol_build ORDER BY id") {
      let (text, file): (String, String) = try (row[0], row[1])
      guard let blob = BlobName(.symbols, file),
        let entry = try? JSONDecoder().decode(SymbolStore.Entry.self, from: Data(text.utf8)),
        SymbolID(entry.id)?.text == entry.id
      else { continue }
      all[entry.id] = Known(entry: entry, blob: blob)
    }
    return all
  }

  /// In the place of what was known of the build.
  static func set(_ known: Known, in state: borrowing StateWriting) throws {
    try leave(known.entry.id, in: state)
    let entry = String(decoding: try JSONEncoder().encode(known.entry), as: UTF8.self)
    try state.execute(
      "INSERT INTO symbol_build(id, blob, entry) VALUES (?1, ?2, ?3)", known.entry.id, known.blob.file, entry)
    try state.tell(.symbols, known.entry.id)
  }

  static func remove(_ id: SymbolID, in state: borrowing StateWriting) throws {
    try leave(id.text, in: state)
    try state.tell(.symbols, id.text)
  }

  private static func leave(_ id: String, in state: borrowing StateWriting) throws {
    let blob: String? = try state.value("SELECT blob FROM symbol_build WHERE id = ?1", id)
    try state.execute("DELETE FROM symbol_build WHERE id = ?1", id)
    if let name = blob.flatMap({ BlobName(.symbols, $0) }) { try BlobRemovals.add(name, in: state) }
  }

  // MARK: Sources

  func sources(of id: SymbolID) async throws -> Sources? {
    try await state.read { state in
      guard let row = try state.row("SELECT blob, bytes FROM source_build WHERE id = ?1", id.text),
        let blob = BlobName(.symbols, try row[0])
      else { return nil }
      return Sources(blob: blob, bytes: try row[1])
    }
  }

  /// The blobs of all builds, each once.
  static func sources(in state: borrowing StateReading) throws -> [Sources] {
    try state.rows("SELECT DISTINCT blob, bytes FROM source_build").compactMap { row in
      guard let blob = BlobName(.symbols, try row[0]) else { return nil }
      return Sources(blob: blob, bytes: try row[1])
    }
  }

  /// Of all builds, each blob once, in bytes.
  func sourceBytes() async throws -> Int64 {
    try await state.read { try Self.sources(in: $0).reduce(0) { $0 + $1.bytes } }
  }

  /// For each of these builds in the place of what was there.
  func set(_ sources: Sources, for builds: [SymbolID]) async throws {
    try await state.write { state in
      for build in builds {
        try Self.leaveSources(build.text, in: state)
        try state.execute(
          "INSERT INTO source_build(id, blob, bytes) VALUES (?1, ?2, ?3)", build.text, sources.blob.file, sources.bytes)
      }
    }
  }

  func removeSources(of id: SymbolID) async throws {
    try await state.write { try Self.leaveSources(id.text, in: $0) }
  }

  private static func leaveSources(_ id: String, in state: borrowing StateWriting) throws {
    let blob: String? = try state.value("SELECT blob FROM source_build WHERE id = ?1", id)
    try state.execute("DELETE FROM source_build WHERE id = ?1", id)
    guard let blob, let name = BlobName(.symbols, blob) else { return }
    let isShared = try state.row("SELECT 1 FROM source_build WHERE blob = ?1 LIMIT 1", blob) != nil
    if !isShared { try BlobRemovals.add(name, in: state) }
  }
}

extension SymbolTable {
  /// Takes up what an earlier version has left in `DATA/symbols`: `ID.sym` with what is known of it in `ID.json`, and `ID.src`.
  /// The files stay where they are. The descriptions go once the state has them; until then the same can be done again.
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
      try state.writeNow { state in
        _ = try state.execute(
          "INSERT INTO symbol_build(id, blob, entry) VALUES (?1, ?2, ?3) ON CONFLICT (id) DO NOTHING", id.text,
          blob.file, String(decoding: data, as: UTF8.self))
      }
    }
    try FileBytes.remove(description.path)
  }

  private func takeUpSources(of id: SymbolID, _ directory: URL) throws {
    guard let blob = BlobName(.symbols, id.text + ".src"),
      let bytes = try FileBytes.size(directory.appending(path: blob.file).path)
    else { return }
    try state.writeNow { state in
      // Its builds have left it, and it is about to go.
      guard try !BlobRemovals.contains(blob, in: state.reading) else { return }
      try state.execute(
        "INSERT INTO source_build(id, blob, bytes) VALUES (?1, ?2, ?3) ON CONFLICT (id) DO NOTHING", id.text, blob.file,
        bytes)
    }
  }
}
