import AutoMobileJournal
import NIOCore

/// Blobs of some megabytes that hold the bodies of segments one after the other: a million small ones would be slow to list, to
/// copy and to delete. They are written on this machine first (``PackSpool``), then never change, and are removed as a whole;
/// where what is stands in the index.
struct ReplayPacks: Sendable {
  /// Where a body is.
  struct Place: Sendable, Equatable {
    var pack: BlobName
    var offset: Int64
    var length: Int64
    var checksum: Int64

    /// In the pack; empty for numbers that cannot be.
    var range: Range<Int64> {
      let (end, overflow) = offset.addingReportingOverflow(length)
      return offset >= 0 && length >= 0 && !overflow ? offset..<end : 0..<0
    }
  }

  let spool: PackSpool
  let blobs: any BlobStore

  /// The body at a place.
  ///
  /// - Throws: ``BlobError``: `damaged` when it is another one than was written, `missing` when it is gone, `unavailable` when
  ///   it is in a store that does not answer.
  func read(_ place: Place) async throws -> ByteBuffer {
    guard place.range.count == place.length else { throw BlobError(.damaged, "the index has a place that cannot be") }
    let local = try await offLoop { [spool] in try spool.read(place) }
    let body: ByteBuffer
    if let local { body = local } else { body = try await blobs.get(place.pack, place.range) }
    guard body.withUnsafeReadableBytes({ Int64(CRC32C.checksum(of: $0)) }) == place.checksum else {
      throw BlobError(.damaged, "\(place.pack) is damaged in bytes \(place.offset) to \(place.offset + place.length)")
    }
    return body
  }
}
