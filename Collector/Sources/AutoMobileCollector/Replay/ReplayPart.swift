import GRDB

/// What came in one piece. While a replay is being recorded, pictures come in parts: the first begins with a key frame, and the
/// others say which segment they go on from. Readers see one segment, which grows.
struct ReplayPart: Decodable, FetchableRecord, Sendable, Equatable {
  var segmentId: String
  var kind: String
  var first: Int64
  var last: Int64
  var frames: Int64
  var length: Int64
  var continues: String?

  /// A segment that plays by itself.
  struct Whole: Sendable, Equatable {
    var head: ReplayPart
    var last: Int64
    var frames: Int64
    var bytes: Int64
    var parts = 1
  }

  /// The segments, in the order of their first parts. A part whose segment is not here cannot be shown.
  static func joined(_ parts: [ReplayPart]) -> [Whole] {
    var whole: [Whole] = []
    var places: [String: Int] = [:]
    for part in parts where part.continues == nil {
      places[part.segmentId] = whole.count
      whole.append(Whole(head: part, last: part.last, frames: part.frames, bytes: part.length))
    }
    for part in parts {
      guard let place = part.continues.flatMap({ places[$0] }) else { continue }
      whole[place].last = max(whole[place].last, part.last)
      whole[place].frames += part.frames
      whole[place].bytes += part.length
      whole[place].parts += 1
    }
    return whole
  }
}
