/// Asks for what has to do with asks: whom they concern, and what came of them. Where it goes on is a place in the order in which things
/// came: a number, whose meaning is the store's.
///
/// What does not say `async` waits on the thread that it is called on, which is one of the collector's own.
protocol AskReading: Sendable {
  /// What is known of a session that somebody asks for; nil when there is no such session.
  func session(_ scope: ReadScope, _ name: String, at now: Int64) async throws -> AskedSession?

  /// Installations that a new ask may concern, and the place of the newest event.
  func begin(_ ask: Ask) async throws -> (look: AskAudience.Look, newest: Int64)

  /// The place of the newest context.
  func newestContext() throws -> Int64

  /// Installations that an ask may concern, of what came after a place.
  func look(for ask: Ask, after first: Int64) throws -> AskAudience.Look

  /// Of these asks, those for a session whose device has nothing that is not here.
  func empty(_ asks: [Ask], at now: Int64) throws -> Set<Int64>

  /// Events that came after a place, counted for those who asked for them.
  ///
  /// - Parameters:
  ///   - most: so many are looked at.
  ///   - open: the asks that stand. Read after the events: an app that sends what it was told to had been told by then.
  func arrived(after first: Int64, most: Int, _ open: @escaping @Sendable () -> [OpenAsk]) throws -> ArrivedEvents
}
