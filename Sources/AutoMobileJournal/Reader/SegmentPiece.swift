import CAutoMobile
import Foundation

/// A copy of a part of a segment's record area, as it was at one moment, while another process may be writing it.
///
/// A copy and no mapping: whoever removes a segment also cuts it off, and then a mapping of another process would end that
/// process.
package struct SegmentPiece: Sendable {
  package let launch: LaunchID
  /// The position of the first byte of the record area.
  package let base: UInt64
  /// How much of a record area there is, in bytes.
  package let capacity: Int
  /// How much of it had been reserved.
  package let reserved: Int
  /// The file is shorter than it was: its writer is about to remove it, or only a part of it was copied to here.
  package let isCut: Bool
  /// Where in the record area the piece begins.
  package let start: Int
  private let bytes: [UInt8]

  /// Nil when there is no such file, or it has never taken a record, or is none of this launch.
  ///
  /// - Parameter isWhole: also what nobody has reserved: a dead process's word for that is not believed.
  init?(_ directory: JournalDirectory, _ launch: LaunchID, index: UInt64, from start: Int, isWhole: Bool) {
    guard let file = try? directory.open(.segment(launch, index: index)) else { return nil }
    defer { file.close() }
    let header = file.read(at: 0, count: SegmentRing.header)
    let bounds = 4096...1 << 20
    let size = file.size
    guard header.count == SegmentRing.header, bounds.contains(size) else { return nil }
    let (identity, cursor) = header.withUnsafeBytes {
      (FileIdentity($0, role: .segment), $0.loadUnaligned(fromByteOffset: Int(AM_SEGMENT_CURSOR), as: UInt64.self))
    }
    // Until it takes its first record, a spare may become the first segment of another launch.
    guard identity.map({ $0.launch == launch && $0.index == index }) ?? true, cursor != 0 else { return nil }
    let stated = identity.map(\.segmentSize).flatMap { bounds.contains($0) ? $0 : nil } ?? size
    self.launch = launch
    self.start = max(0, start)
    base = index &* UInt64(clamping: stated - SegmentRing.header)
    capacity = max(0, stated - SegmentRing.header)
    isCut = size < stated
    reserved = min(Int(clamping: cursor.littleEndian), capacity)
    bytes = file.read(
      at: SegmentRing.header + self.start, count: min((isWhole ? capacity : reserved) - self.start, 1 << 20))
  }

  /// Where in the record area the piece ends.
  package var end: Int { start + bytes.count }

  package enum Stop: Sendable {
    case end
    /// Something is reserved, and not published yet.
    case unpublished
    /// What stands there is no record; or it was published while it was copied, and then it is one in the next copy.
    case damaged
  }

  /// Goes through the whole records of the piece, in order. It has to begin where a record does.
  ///
  /// - Parameters:
  ///   - isAbandoned: nobody writes here any more, so that what is not published never will be.
  ///   - passesDamage: damage is passed over, and not a reason to stop.
  ///   - body: gets each record's kind, its position and where its payload is in the record area.
  /// - Returns: where it stopped, and why.
  package func walk(
    isAbandoned: Bool, passesDamage: Bool, _ body: (RecordKind, UInt64, Range<Int>, UnsafeRawBufferPointer) -> Void
  ) -> (next: Int, stop: Stop) {
    bytes.withUnsafeBytes { bytes in
      var walker = SegmentWalker(
        codec: RecordCodec(launch: launch), bytes: bytes, base: base &+ UInt64(clamping: start), from: 0,
        writers: isAbandoned ? .gone : .waitedFor)
      while true {
        let before = walker.offset
        switch walker.next() {
        case .record(let kind, let position, let payload):
          let place = start + payload.lowerBound..<start + payload.upperBound
          body(kind, position, place, UnsafeRawBufferPointer(rebasing: bytes[payload]))
        case .torn, .damaged:
          if !passesDamage { return (start + before, .damaged) }
        case .unpublished: return (start + walker.offset, .unpublished)
        case .end: return (start + walker.offset, .end)
        }
      }
    }
  }

  /// No other record has room after this offset.
  package func isEnd(_ offset: Int) -> Bool { offset > capacity &- RecordHeader.size }

  /// The bytes at a place in the record area, as long as `body` runs; nil when the piece does not reach there.
  package func withBytes<Result>(_ place: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    guard place.lowerBound >= start, place.upperBound <= end else { return nil }
    return bytes.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[place.lowerBound - start..<place.upperBound - start]))
    }
  }
}

extension JournalReader {
  /// The segments that are there now, by launch, in order. Reads the directory only.
  package func segments() -> [LaunchID: [UInt64]] {
    var segments: [LaunchID: [UInt64]] = [:]
    for case .segment(let launch, let index) in directory.names() { segments[launch, default: []].append(index) }
    return segments.mapValues { $0.sorted() }
  }

  /// What stands in a segment from an offset on. Nil when it is not there, or has not taken a record yet.
  package func piece(
    _ launch: LaunchID, _ index: UInt64, from start: Int = 0, isWhole: Bool = false
  ) -> SegmentPiece? {
    SegmentPiece(directory, launch, index: index, from: start, isWhole: isWhole)
  }

  /// Whether the process that records this launch may still run. True when that is not known.
  package func mayBeRunning(_ launch: LaunchID) -> Bool {
    for name in directory.names() where name.launch == launch {
      if let identity = identity(in: name, name.role), identity.launch == launch {
        return LiveLaunches.here.isAlive(identity, singleInstanceOwner: nil)
      }
    }
    return true
  }
}
