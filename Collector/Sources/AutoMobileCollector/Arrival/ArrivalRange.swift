/// Records of one collector that can be asked for since one moment: their numbers, and their places in the order in which everything of
/// all collectors came.
///
/// Numbers of records are given when a collector takes them in, and its rows may come hours later, because a shard was away or the
/// collector itself was. So a number is no place to go on from. What all collectors agree on is the order in which ranges of numbers
/// were said to be there, and in it each number has a place:
///
///     places    0 ─── 400 ─────── 700 ──── 900
///     ranges    writer 1   writer 2   writer 1
///     numbers   (…, a]     (…, b]     (a, c]
struct ArrivalRange: Sendable, Equatable {
  /// That of the last number before it.
  var place: Int64
  var writer: Int64
  /// Numbers above this one …
  var first: Int64
  /// … up to this one.
  var last: Int64

  var end: Int64 { place + (last - first) / FrameNumbers.step }

  func has(_ number: Int64) -> Bool {
    number > first && number <= last && number % FrameNumbers.step == writer
  }

  func place(of number: Int64) -> Int64 { place + (number - first) / FrameNumbers.step }

  /// What of it lies behind a place, up to another one; nil when nothing does.
  func part(after start: Int64, upTo end: Int64 = .max) -> ArrivalRange? {
    let (from, to) = (max(start, place), min(end, self.end))
    guard from < to else { return nil }
    return ArrivalRange(
      place: from, writer: writer, first: first + (from - place) * FrameNumbers.step,
      last: first + (to - place) * FrameNumbers.step)
  }

  /// The number before the first one that a writer can give.
  static func start(of writer: Int64) -> Int64 { writer - FrameNumbers.step }
}

/// What came after a place, as far as it is known.
struct ArrivalSlice: Sendable, Equatable {
  /// In the order of their places, the first one from the place on.
  var ranges: [ArrivalRange]
  /// Where it ends; the place itself when nothing has come.
  var end: Int64
  /// Whether there was nothing behind it.
  var isLast: Bool
}
