/// A launch, as far as its events have been told.
struct TraceProcess {
  let id: Int64
  var isNamed = false
  var tracks: Set<TraceTrack> = []
  /// Of what was told.
  var last: Int64 = 0
  var screen: TraceRecords.Begun?
  /// Until where rows are taken.
  var ends: [TraceTrack: Int64] = [:]

  init(id: Int64) { self.id = id }
}
