/// What a piece of news is about.
package enum StateSubject: String, Sendable, CaseIterable {
  case projects, configuration, people, redaction, settings, issues, alerts, forwarders, asks, erasures, symbols
  case writers, commands, answers, tail
}

/// Somebody wrote something that others have in memory. Says which, not what: it is read from the store.
package struct StateNews: Sendable, Hashable {
  /// Nil: anything may have changed.
  package var subject: StateSubject?
  /// A name or a number, of at most ``longestDetail`` bytes.
  package var detail: String

  package static let everything = StateNews()
  /// In bytes.
  package static let longestDetail = 1000

  package init(_ subject: StateSubject? = nil, _ detail: String = "") {
    self.subject = subject
    self.detail = detail
  }
}
