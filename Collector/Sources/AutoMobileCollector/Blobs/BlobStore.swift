import NIOCore

/// Keeps large things that never change, by their names: packs of replays, symbols, sources. What is where, and what is still
/// needed, stands in the index; a blob store knows names and bytes.
///
/// A laptop has folders (``FolderBlobs``), a company an S3 store (``S3Blobs``). All calls may take as long as a disk or a
/// network does, and none blocks a thread of Swift's concurrency.
package protocol BlobStore: Sendable {
  /// Where it is, for people; without anything secret.
  var place: String { get }

  /// Keeps a blob, whole and durable, or throws. What is there is never written over: the same content again is no error,
  /// another one under the same name is ``BlobError/Kind/exists``.
  func put(_ content: BlobContent, as name: BlobName) async throws

  /// Exactly these bytes of a blob, at most ``BlobLimits/range`` of them.
  ///
  /// - Throws: ``BlobError``: `missing` when there is no such blob, or when it ends before.
  func get(_ name: BlobName, _ range: Range<Int64>) async throws -> ByteBuffer

  /// In bytes; nil when there is none.
  func size(of name: BlobName) async throws -> Int64?

  /// Removes a blob; one that is not there is no error.
  func remove(_ name: BlobName) async throws

  /// Names and sizes in the order of names, a page at a time; empty at the end. Slow and, in some stores, paid for: for
  /// maintenance and moving, never on the way of a request.
  func list(_ folder: BlobName.Folder, after name: BlobName?) async throws -> [BlobEntry]

  /// The blob as a file on this machine, if this store keeps files; it may not be there.
  func file(_ name: BlobName) -> String?

  /// Whether it can be written and read.
  ///
  /// - Throws: ``BlobError``, with what to do.
  func check() async throws

  /// Takes away what puts that never ended have left.
  func tidy() async throws
}

/// What becomes a blob.
package enum BlobContent: Sendable {
  case bytes(ByteBuffer)
  /// A file that does not change any more. The store may link to it in place of copying.
  case file(String)
}

/// A blob in a listing.
package struct BlobEntry: Sendable, Equatable {
  package var name: BlobName
  package var bytes: Int64
}

package enum BlobLimits {
  /// What is read at once, in bytes: a body of a replay's segment fits.
  package static let range: Int64 = 64 << 20
  /// What is in memory of a file that is copied.
  static let piece: Int64 = 8 << 20

  static func check(_ range: Range<Int64>, of name: BlobName) throws {
    guard range.lowerBound >= 0, Int64(range.count) <= Self.range else {
      throw BlobError(.missing, "\(name) has no bytes \(range.lowerBound) to \(range.upperBound) that are read at once")
    }
  }
}
