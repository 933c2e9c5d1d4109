import AutoMobileJournal
import Foundation

/// Copies of the segments that were looked into last. Rows that are listed together stand in few segments.
///
/// Used under the log's lock.
final class SegmentCache {
  /// A megabyte each, at most.
  private static let maximum = 4

  private struct Copy {
    let segment: ObjectIdentifier
    let piece: SegmentPiece
    /// How far the segment had been read before it was copied. What stands beyond may have been half written.
    let end: Int
  }

  private let reader: JournalReader
  /// The one that was used last comes last.
  private var copies: [Copy] = []

  init(_ reader: JournalReader) { self.reader = reader }

  /// The payload's bytes, as long as `body` runs; nil when they are not there any more.
  func withPayload<Result>(
    _ place: LogRow.Part, in segment: LogSegment, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    let id = ObjectIdentifier(segment)
    if let found = copies.lastIndex(where: { $0.segment == id }) {
      let copy = copies.remove(at: found)
      if place.range.upperBound <= copy.end {
        copies.append(copy)
        return copy.piece.withBytes(place.range, body)
      }
      // It has grown since.
    }
    let end = segment.offset
    guard let piece = reader.piece(segment.launch, segment.index), !piece.isCut || end <= piece.end else {
      return nil
    }
    if copies.count >= Self.maximum { copies.removeFirst() }
    copies.append(Copy(segment: id, piece: piece, end: end))
    return piece.withBytes(place.range, body)
  }

  /// Once a segment is gone, another object may get its address.
  func forget(_ segment: LogSegment) { copies.removeAll { $0.segment == ObjectIdentifier(segment) } }
}
