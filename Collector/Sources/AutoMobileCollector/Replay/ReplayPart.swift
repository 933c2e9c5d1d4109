/// What came in one piece. While a replay is being recorded, its segments come in parts: the first part of pictures begins with a
/// key frame, and the others say which segment they go on from. Readers see one segment, which grows.
struct ReplayPart: Decodable, Sendable, Equatable {
  var segmentId: String
  var kind: String
  var first: Int64
  var last: Int64
  var frames: Int64
  var length: Int64
  var continues: String?

  private static let pictures = ReplaySegment.Kind.screenshots.rawValue

  /// A part of one kind goes on from nothing of another.
  private struct Name: Hashable {
    var kind: String
    var segmentId: String
  }

  private var name: Name { Name(kind: kind, segmentId: segmentId) }
  private var nameOfHead: Name { Name(kind: kind, segmentId: continues ?? segmentId) }

  /// A segment that plays by itself.
  struct Whole: Sendable, Equatable {
    var head: ReplayPart
    var last: Int64
    var frames: Int64
    var bytes: Int64
    var parts = 1
  }

  /// The segments, in the order of their first parts. Pictures whose segment is not here cannot be shown; lines then stand by
  /// themselves.
  static func joined(_ parts: [ReplayPart]) -> [Whole] {
    let heads = Set(parts.filter { $0.continues == nil }.map(\.name))
    var whole: [Whole] = []
    var places: [Name: Int] = [:]
    for part in parts {
      let isHead = part.continues == nil
      guard isHead || (part.kind != Self.pictures && !heads.contains(part.nameOfHead)) else { continue }
      if isHead { places[part.name] = whole.count }
      whole.append(Whole(head: part, last: part.last, frames: part.frames, bytes: part.length))
    }
    for part in parts {
      guard part.continues != nil, let place = places[part.nameOfHead] else { continue }
      whole[place].last = max(whole[place].last, part.last)
      whole[place].frames += part.frames
      whole[place].bytes += part.length
      whole[place].parts += 1
    }
    return whole
  }
}
