/// Asks for what alert rules are about.
protocol AlertReading: Sendable {
  /// Where a new rule of a kind begins: a place in the order in which reports came, whose meaning is the store's; 0 where there is none.
  func newest(_ kind: AlertRule.Kind) async throws -> Int64

  /// What a rule's condition finds at this moment. Of ``AlertRule/Kind/ask`` nothing: what became of asks the state knows. Waits on the
  /// thread that it is called on, which is one of the collector's own.
  func look(_ rule: AlertRule, _ context: AlertLook.Context) throws -> AlertLook
}
