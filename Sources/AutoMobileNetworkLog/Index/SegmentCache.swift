import AutoMobileJournal
import Foundation

/// Copies of the segments that were looked into last. Rows that are listed together stand in few segments.
///
/// Used under the log's lock.
final class SegmentCache {
  /// A megabyte each, at most.
  private static let maximum = 4

  private let reader: JournalReader
  /// The one that was used last comes last.
  private var pieces: [(segment: ObjectIdentifier, piece: SegmentPiece)] = []

  init(_ reader: JournalReader) { self.reader = reader }

  /// The payload's bytes, as long as `body` runs; nil when they are not there any more.
  func withPayload<Result>(
    _ place: LogRow.Part, in segment: LogSegment, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    let id = ObjectIdentifier(segment)
    if let found = pieces.lastIndex(where: { $0.segment == id }) {
      if found != pieces.count - 1 { pieces.append(pieces.remove(at: found)) }
      if let result = pieces.last?.piece.withBytes(place.range, body) { return result }
      // It has grown since.
      pieces.removeLast()
    }
    guard let piece = reader.piece(segment.launch, segment.index), !piece.isCut || segment.offset <= piece.end else {
      return nil
    }
    if pieces.count >= Self.maximum { pieces.removeFirst() }
    pieces.append((id, piece))
    return piece.withBytes(place.range, body)
  }

  /// Once a segment is gone, another object may get its address.
  func forget(_ segment: LogSegment) { pieces.removeAll { $0.segment == ObjectIdentifier(segment) } }
}
