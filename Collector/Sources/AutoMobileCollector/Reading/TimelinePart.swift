/// Which part of a session is read, a page of it. Either way its events stand in the order of their timestamps.
enum TimelinePart: Equatable {
  case start
  /// The first ones after a place.
  case after(PageCursor)
  /// The last ones before a place.
  case before(PageCursor)

  var isBackwards: Bool { if case .before = self { true } else { false } }

  /// Where a page of it goes on, in its direction; nil when there is nothing more.
  func next(_ page: Page<EventRow>) -> String? {
    guard page.isFull else { return nil }
    return (isBackwards ? page.rows.first : page.rows.last).map { EventOrder.cursor($0).text }
  }
}
