import AutoMobileJournal
import AutoMobileSupport

/// Brings the beginnings of requests together with their ends, in whatever order and look they are read.
extension LogIndex {
  /// Whether the process may still run that waits for the answer.
  func isUnderWay(_ reference: Reference) -> Bool {
    guard reference.row.isBeginning, let launch = row(reference)?.segment.launch else { return false }
    return !beginnings.areOver(launch)
  }

  /// Has ends take the place of their beginnings, and lists those beginnings that have no end.
  ///
  /// - Parameter hasEnded: the launch's process has, since the last look.
  func join(_ launch: LaunchID, _ news: inout LaunchNews, hasEnded: Bool, _ change: inout NetworkLogChange) {
    let listed = beginnings.count(launch)
    if hasEnded { beginnings.end(launch) }
    change.frames += news.frames
    let replaced = replaceListed(by: &news, launch)
    change.ended += hasEnded ? listed : replaced
    change.added += news.rows.count - replaced
    dropKnown(&news, launch)
    let first = news.rows.count
    list(&news, launch)
    change.added += news.rows.count - first
  }

  /// Lists no more than the newest.
  func dropSurplus(_ change: inout NetworkLogChange) {
    let surplus = beginnings.takeSurplus()
    unlist(surplus)
    change.removed += surplus.count
  }

  /// - Returns: how many of the new rows have taken the place of a beginning.
  private func replaceListed(by news: inout LaunchNews, _ launch: LaunchID) -> Int {
    guard !news.begun.isEmpty || beginnings.count(launch) > 0 else { return 0 }
    var ended: [Reference] = []
    var positions: [(Reference, UInt64)] = []
    for reference in news.rows {
      guard let key = key(reference, of: launch) else { continue }
      let new = news.begun.removeValue(forKey: key)
      if let old = beginnings.take(key, of: launch) {
        ended.append(old)
        positions.append((reference, id(old).position))
      } else if let new {
        positions.append((reference, new.record.position))
      }
    }
    unlist(ended)
    for (reference, position) in positions {
      segments[Int(reference.segment)]?.rename(row: Int(reference.row.index), position)
    }
    return ended.count
  }

  /// Leaves out what is in the list already, or has ended in an earlier look: a thread may have been held up between writing
  /// that a request begins and saying that it is written.
  private func dropKnown(_ news: inout LaunchNews, _ launch: LaunchID) {
    guard let earliest = news.begun.keys.map(\.startedAt).min(), let latest = news.begun.keys.map(\.startedAt).max()
    else {
      return
    }
    var index = firstIndex { $0.startedAt >= earliest }
    while index < order.count, order[index].startedAt <= latest, !news.begun.isEmpty {
      if let key = key(order[index], of: launch) { news.begun[key] = nil }
      index += 1
    }
  }

  private func list(_ news: inout LaunchNews, _ launch: LaunchID) {
    // As they lie on the disk.
    let begun = news.begun.ordered { $0.value.record.position < $1.value.record.position }
    for (key, begun) in begun {
      guard let segment = segments[begun.segment] else { continue }
      let beginning = cache.withPayload(begun.record.payload, in: segment) { bytes in
        Beginning(begun.record, bytes, names: &names)
      }
      guard let beginning = beginning ?? nil else { continue }
      segment.list(beginning)
      let reference = Reference(
        startedAt: key.startedAt, segment: UInt32(clamping: begun.segment),
        row: RowNumber(beginning: begun.record.payload.offset))
      beginnings.list(key, of: launch, reference)
      news.rows.append(reference)
    }
  }

  private func unlist(_ references: [Reference]) {
    guard !references.isEmpty else { return }
    let places = Set(
      references.compactMap { reference in
        let place = firstIndex { !precedes($0, reference) }
        return place < order.count && order[place].row == reference.row && order[place].segment == reference.segment
          ? place : nil
      })
    if var kept = places.min() {
      // Most requests end soon, so that little comes after them.
      for place in kept..<order.count where !places.contains(place) {
        order[kept] = order[place]
        kept += 1
      }
      order.removeLast(order.count - kept)
    }
    for reference in references { segments[Int(reference.segment)]?.unlist(reference.row) }
  }

  private func key(_ reference: Reference, of launch: LaunchID) -> RequestKey? {
    guard let (segment, row) = row(reference), segment.launch == launch else { return nil }
    return segment.key(row)
  }
}
