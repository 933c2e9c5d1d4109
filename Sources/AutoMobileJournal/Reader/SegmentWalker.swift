import CAutoMobile

/// Goes through the records of one segment, and past whatever is not one.
///
/// Nothing that stands in the bytes is believed before it is checked: a length only within bounds, a record only with
/// its position and checksum. Work is bounded also for bytes made to waste it.
struct SegmentWalker {
  enum Step: Equatable {
    case record(kind: RecordKind, position: UInt64, payload: Range<Int>)
    /// A call that never returned; its kind, when it had come to writing it.
    case torn(Range<Int>, RecordKind?)
    /// Bytes that are no record, but probably were one, of this kind.
    case damaged(Range<Int>, RecordKind?)
    /// A writer is at work at ``offset``, or will be: look again later.
    case unpublished
    /// Nothing more has been reserved.
    case end
  }

  enum Writers {
    /// Nobody writes here any more.
    case gone
    /// Stop at what is not published yet.
    case waitedFor
    /// Leave out what is claimed and not published yet.
    case passedOver
  }

  let codec: RecordCodec
  /// The record area.
  let bytes: UnsafeRawBufferPointer
  /// The position of its first byte.
  let base: UInt64
  let writers: Writers
  /// Where the next record is expected.
  private(set) var offset: Int
  /// The nearest whole record after the last damage; the end when there is none.
  private var found: Int?
  /// What may still be summed up in search of the next record after damage.
  private var searchable: Int

  /// - Parameters:
  ///   - bytes: the segment's record area as far as it has been reserved, or all of it when the writers are gone.
  ///   - offset: a record's beginning.
  init(codec: RecordCodec, bytes: UnsafeRawBufferPointer, base: UInt64, from offset: Int, writers: Writers) {
    self.codec = codec
    self.bytes = bytes
    self.base = base
    self.offset = max(0, (offset + 7) & ~7)
    self.writers = writers
    searchable = bytes.count &* 8
  }

  mutating func next() -> Step {
    while offset <= bytes.count - RecordHeader.size {
      let start = offset
      switch look(at: start) {
      case .record(let kind, let position, let payload, let next):
        offset = next
        if kind == .padding { continue }
        return .record(kind: kind, position: position, payload: payload)
      case .claimed(let next):
        switch writers {
        case .waitedFor: return .unpublished
        case .passedOver, .gone: return .torn(pass(from: start, to: next), kind(at: start))
        }
      case .damaged: return .damaged(pass(from: start, to: nil), kind(at: start))
      case .free:
        if writers != .gone { return .unpublished }
        guard let found = firstWritten(from: start) else { return finish() }
        // Room that a thread had reserved for its next records, and not used: nothing is missing.
        if case .claimed(let next) = look(at: found), kind(at: found) == .padding {
          offset = next
          continue
        }
        return .torn(pass(from: start, to: found), nil)
      }
    }
    return finish()
  }

  private mutating func finish() -> Step {
    offset = bytes.count
    return .end
  }

  private func look(at offset: Int) -> RecordCodec.Parsed {
    codec.parse(bytes, at: offset, expecting: base &+ UInt64(clamping: offset))
  }

  private func kind(at offset: Int) -> RecordKind? {
    RecordHeader.parse(word: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian)?.kind
  }

  /// Passes over what begins at `start`: up to the nearest whole record, or to `hint`, if that comes first and another
  /// writer was at work there. A length that may be damaged is no reason to pass over a whole record.
  private mutating func pass(from start: Int, to hint: Int?) -> Range<Int> {
    let nearest = nextRecord(from: start + 8)
    if let hint, hint > start, hint < nearest ?? .max, isUnfinished(at: hint) {
      offset = hint
    } else {
      offset = nearest ?? bytes.count
    }
    return start..<offset
  }

  private func isUnfinished(at offset: Int) -> Bool {
    switch look(at: offset) {
    case .claimed: true
    case .free: writers != .gone
    case .record, .damaged: false
    }
  }

  /// The nearest whole record. Its own position tells nearly every wrong place apart without a checksum.
  private mutating func nextRecord(from start: Int) -> Int? {
    // What was found in search of an earlier one still holds.
    if let found, found >= start { return found < bytes.count ? found : nil }
    var at = start
    while at <= bytes.count - RecordHeader.size {
      let position = bytes.loadUnaligned(fromByteOffset: at + 8, as: UInt64.self).littleEndian
      if position == base &+ UInt64(clamping: at), spend(at: at), case .record = look(at: at) {
        found = at
        return at
      }
      at += 8
    }
    found = bytes.count
    return nil
  }

  private func firstWritten(from start: Int) -> Int? {
    var at = start
    while at <= bytes.count - 8 {
      if bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self) != 0 { return at }
      at += 8
    }
    return nil
  }

  private mutating func spend(at offset: Int) -> Bool {
    let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian
    searchable -= RecordHeader.size + min(Int(word & 0xFF_FFFF), bytes.count)
    return searchable > 0
  }
}
