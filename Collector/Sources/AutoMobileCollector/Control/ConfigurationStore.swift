import AutoMobileState
import Foundation
import Logging
import NIOConcurrencyHelpers
import NIOCore

/// The configuration documents: one for each app that has its own, and one (`*`) for all. Kept in the state, answered
/// from memory.
///
/// An app gets the document for all with its own laid over it, member by member; but recording that is switched off in
/// either of them is off. Versions are counted over all documents of a store, so what an app gets never goes back.
final class ConfigurationStore: Sendable {
  /// The document for all apps.
  static let everyApp = "*"

  /// One document as somebody wrote it.
  struct Document: Sendable {
    var bundle: String
    var version: Int64
    var sections: JSONTree
    /// Milliseconds since 1970.
    var changedAt: Int64
    var changedBy: String
  }

  /// What an app gets.
  struct Effective: Sendable {
    var version: Int64
    /// Changes whenever the document does: the entity tag, and what ingest answers name.
    var tag: String
    /// The same as JSON.
    var sections: JSONTree
    var json: ByteBuffer
  }

  /// What is in memory.
  private struct Known: Sendable {
    var documents: [String: Document]
    var effective: [String: Effective]

    init(_ documents: [Document], _ issuer: String) {
      self.documents = Dictionary(documents.map { ($0.bundle, $0) }) { _, last in last }
      effective = ConfigurationStore.effective(self.documents, issuer)
    }

    var newest: Int64 { documents.values.map(\.version).max() ?? 0 }
  }

  /// The name of this store, by which an app tells its versions from those of another collector.
  let issuer: String
  private let state: any StateStore
  private let logger: Logger
  private let memory: StateMemory<Known>
  private let onChange = NIOLockedValueBox<(@Sendable () -> Void)?>(nil)

  convenience init(_ state: any StateStore, logger: Logger) throws {
    let new = UUID().uuidString.lowercased()
    try self.init(state, issuer: try state.writeNow { try ConfigurationTables.issuer(in: $0, new: new) }, logger)
  }

  /// For who only reads: nothing is written.
  convenience init(reading state: any StateStore, logger: Logger) throws {
    try self.init(state, issuer: try state.readNow { try ConfigurationTables.issuer(in: $0) } ?? "", logger)
  }

  private init(_ state: any StateStore, issuer: String, _ logger: Logger) throws {
    (self.state, self.logger, self.issuer) = (state, logger, issuer)
    memory = try StateMemory(of: [.configuration], in: state, logger: logger) {
      Known(try ConfigurationTables.documents(in: $0), issuer)
    }
    memory.onReload { [weak self] old, new in
      if new.newest != old.newest { self?.changed() }
    }
  }

  // MARK: Reading

  /// What ingest answers name. A look into a dictionary.
  func tag(of bundle: String?) -> String { effective(of: bundle).tag }

  func effective(of bundle: String?) -> Effective {
    memory.with { known in
      // There is always one for all.
      bundle.flatMap { known.effective[$0] } ?? known.effective[Self.everyApp] ?? Self.nothing(issuer)
    }
  }

  /// As somebody wrote it; version 0 and empty when nobody has.
  func document(of bundle: String) -> Document {
    memory.with { $0.documents[bundle] }
      ?? Document(bundle: bundle, version: 0, sections: .object([:]), changedAt: 0, changedBy: "")
  }

  /// All, by name.
  var documents: [Document] { memory.with { $0.documents.values.sorted { $0.bundle < $1.bundle } } }

  /// The changes of a document, newest first.
  func history(of bundle: String, limit: Int) async throws -> [Document] {
    try await state.read { try ConfigurationTables.history(of: bundle, limit: limit, in: $0) }
  }

  // MARK: Writing

  /// Called after each change.
  func onChange(_ body: @escaping @Sendable () -> Void) { onChange.withLockedValue { $0 = body } }

  /// Replaces a document.
  ///
  /// - Parameter expected: the version that the writer has seen; nil: whatever is there is replaced.
  /// - Throws: ``APIError`` when the document is not valid, or another one is there than expected.
  func put(_ sections: JSONTree, for bundle: String, expected: Int64?, by author: String) async throws -> Document {
    try ConfigurationRules.checkBundle(bundle)
    try ConfigurationRules.check(sections)
    let at = WallClock.now
    let (written, _) = try await memory.write { [issuer] state in
      let current = try ConfigurationTables.documents(in: state.reading)
      let version = current.first { $0.bundle == bundle }?.version ?? 0
      if let expected, expected != version {
        throw APIError(
          .conflict, "conflict", "the document is at version \(version), not \(expected): read it again")
      }
      if version == 0, current.count >= ConfigurationRules.maximumDocuments {
        throw APIError(
          .conflict, "too_many", "there are \(current.count) documents already: use the one for all apps, “*”")
      }
      let next = Document(
        bundle: bundle, version: (current.map(\.version).max() ?? 0) + 1, sections: sections, changedAt: at,
        changedBy: author)
      try ConfigurationTables.write(next, in: state)
      return (next, Known(try ConfigurationTables.documents(in: state.reading), issuer))
    } then: { known, written in
      known = written.1
    }
    logger.notice(
      "the configuration was changed",
      metadata: ["bundle": "\(bundle)", "version": "\(written.version)", "by": "\(author)"])
    changed()
    return written
  }

  /// Reads again what an erasure has written, on this thread, which is one of the collector's own.
  func reload() {
    do {
      try memory.reloadNow()
    } catch {
      logger.error("the configuration could not be read again", metadata: ["error": "\(error)"])
    }
  }

  private func changed() { onChange.withLockedValue { $0 }?() }

  // MARK: What apps get

  private static func effective(_ documents: [String: Document], _ issuer: String) -> [String: Effective] {
    let general = documents[everyApp]
    var effective = [everyApp: make(general, nil, issuer)]
    for (bundle, document) in documents where bundle != everyApp { effective[bundle] = make(general, document, issuer) }
    return effective
  }

  private static func nothing(_ issuer: String) -> Effective { make(nil, nil, issuer) }

  private static func make(_ general: Document?, _ own: Document?, _ issuer: String) -> Effective {
    let version = max(general?.version ?? 0, own?.version ?? 0)
    var sections = general?.sections ?? .object([:])
    if let own { sections = sections.merged(with: own.sections) }
    let isOff = [general, own].contains { $0?.sections["recording"]?["enabled"]?.bool == false }
    if isOff { sections = sections.merged(with: .object(["recording": .object(["enabled": .bool(false)])])) }
    let head = JSONTree.object(["version": .integer(version), "issuer": .string(issuer)])
    sections = sections.merged(with: head)
    return Effective(
      version: version, tag: "\(version)-\(issuer.prefix(8))", sections: sections,
      json: ByteBuffer(string: sections.text))
  }
}
