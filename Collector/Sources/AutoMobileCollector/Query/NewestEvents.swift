/// What a search of all events found, the newest first.
struct NewestEvents: Sendable {
  var events: [EventRow]
  /// Before which to go on; nil when there is nothing more. A page may be empty and have one.
  var next: PageCursor?
  /// So many words begin like this that only whole words were looked for.
  var isWholeWords = false

  init(_ page: Page<EventRow>, isWholeWords: Bool = false) {
    events = page.rows
    next = page.isFull ? page.rows.last.map { PageCursor(key: 0, id: $0.id) } : nil
    self.isWholeWords = isWholeWords
  }
}
