import Foundation

/// What the beginning and the end of a request have in common, within one launch.
struct RequestKey: Hashable {
  var startedAt: Int64
  /// Of the exchange's id, in lower case. An id is random, and long.
  var id: UInt64

  /// Nil for what has no id.
  init?(startedAt: Int64, id: some Collection<UInt8>) {
    guard !id.isEmpty else { return nil }
    self.startedAt = startedAt
    self.id = FrameOwner.hash(id.lazy.map(FoldedText.fold))
  }
}

/// A record that says that a request began. Most are forgotten when the segment has been read, since the end is there, too.
struct Begun {
  var key: RequestKey
  var position: UInt64
  /// In the segment.
  var payload: LogRow.Part

  /// Nil for what could not be brought together with its end: it has no id, or does not say when it began.
  init?(position: UInt64, payload: Range<Int>, _ bytes: UnsafeRawBufferPointer) {
    self.position = position
    self.payload = LogRow.Part(payload)
    var members = JSONMembers(bytes)
    var (id, time) = (0..<0, 0..<0)
    while id.isEmpty || time.isEmpty, let member = members.next() {
      let name = UnsafeRawBufferPointer(rebasing: bytes[member.name])
      if name.elementsEqual("requestId".utf8) { id = member.value }
      if name.elementsEqual("timestamp".utf8) { time = member.value }
    }
    guard let startedAt = Int64(String(decoding: bytes[time], as: UTF8.self)),
      let key = RequestKey(startedAt: startedAt, id: bytes[id])
    else { return nil }
    self.key = key
  }
}

/// A request that is in the list because it has begun, and nothing came after it.
struct Beginning {
  var row: LogRow
  /// What ``LogSegment/text`` is for other rows. It goes when the request has ended.
  var text: [UInt8] = []

  /// Nil when the record is none.
  init?(_ begun: Begun, _ bytes: UnsafeRawBufferPointer, names: inout LogNames) {
    guard
      var row = LogRow(
        position: begun.position, payload: begun.payload.range, bytes, text: &text, names: &names)
    else { return nil }
    row.startedAt = begun.key.startedAt
    row.status = 0
    row.duration = .nan
    row.flags = row.flags.intersection(.mocked).union([.unfinished, .beginning])
    self.row = row
  }
}
