import AutoMobileJournal

/// What an evaluation goes by, and what it leaves for others to do.
extension LaunchEvaluation {
  /// A mark whose beginning has to be looked for.
  struct Unbegun {
    /// Its index.
    var mark: Int
    /// The first time that it contains.
    var since: Int64
    /// Where it was caused.
    var trigger: UInt64
    /// What is before this position the same rule has marked already, as far as it is to be.
    var after: UInt64
  }

  /// A rule that applied to an event about another launch.
  struct ForeignTrigger: Equatable {
    var launch: LaunchID
    /// Nil: the event only tells how that launch ended.
    var rule: UploadRule?
    /// When it happened there; nil: at its end.
    var at: Int64?
    var end: SessionTally.End?
  }

  /// What an evaluation goes by.
  struct Rules {
    var compiled: CompiledRules
    var asks: [UploadAsk]
    /// Whether a rule may apply once more today; counted when it does. Asked again for the same event, it says the same.
    var allows: (_ rule: UploadRule, _ launch: LaunchID, _ position: UInt64) -> Bool
  }
}
