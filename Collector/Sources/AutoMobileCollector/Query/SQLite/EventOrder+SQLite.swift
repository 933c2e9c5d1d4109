extension EventOrder {
  /// Tells the events of one millisecond apart; also where there has never been a crash.
  static let tie = "(event.id + IFNULL(event.type = (SELECT id FROM event_type WHERE name = 'crash'), 0) * \(crashes))"
}
