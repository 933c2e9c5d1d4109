import NIOCore

/// Where apps ask for commands, and people give them: within one collector, or between those that share a state.
protocol CommandBoard: Sendable {
  typealias Command = CommandExchange.Command
  typealias Address = CommandExchange.Address
  typealias Listener = CommandExchange.Listener
  typealias Answer = CommandExchange.Answer

  /// A name for a question, so that its end is told from that of a later one.
  func nextQuestion() -> UInt64

  /// The connection by which a question came is gone, and so is whoever asked.
  func leave(_ id: UInt64, of launch: Address)

  /// Waits for commands; none when the time is over or there is other news.
  func question(
    _ id: UInt64, of listener: Listener, wait seconds: Double, hasNews: @escaping @Sendable () -> Bool
  ) async -> [Command]

  /// Takes an app's answer; false when nobody waits for it (any more).
  ///
  /// - Parameter owner: nil for whoever may answer for all apps, and says not for which.
  /// - Throws: what the state says.
  func answer(_ id: String, launch: String, owner: DataOwner?, _ body: ByteBuffer) async throws -> Bool

  /// Answers with nothing those for whom there is news.
  func wake()

  /// Who would answer a command at this moment, the latest first; and who would have earlier, the latest last.
  ///
  /// - Throws: what the state says.
  func presence() async throws -> (listeners: [Listener], left: [Address])

  /// Has a command done, and waits for the answer.
  ///
  /// - Throws: what the state says.
  func ask(_ command: Command, of launch: Address) async throws -> Answer

  /// Ends everything that waits, for good.
  func finish()
}

extension CommandExchange: CommandBoard {
  func presence() -> (listeners: [Listener], left: [Address]) { (listeners, left) }
}
