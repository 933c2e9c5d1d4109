/// What a question costs, as far as one can tell before it is asked. Each kind has places of its own, so that none waits
/// for another.
enum ReadCost: String, Sendable, CaseIterable {
  /// An index answers it: a page, one thing by its name.
  case light
  /// Much has to be looked at: sums, searches, files.
  case heavy
  /// What is new, for a listener of the live tail. There are few listeners, and none is sent away for waiting.
  case tail
}
