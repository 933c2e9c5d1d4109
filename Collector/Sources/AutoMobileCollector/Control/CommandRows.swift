import AutoMobileState

/// The rows of ``CommandTables``. All times are those of the store's clock, so that collectors agree on what is over.
enum CommandRows {
  typealias Address = CommandExchange.Address
  typealias Command = CommandExchange.Command
  typealias Listener = CommandExchange.Listener

  enum Waiting: Equatable {
    case nothing, commands
    /// The app has asked again since, here or elsewhere.
    case replaced
  }

  enum Outcome { case given, gone, busy }

  /// An app that has left is remembered so long, in milliseconds.
  static let longestLeft: Int64 = 86_400_000
  /// Collectors have few listeners each; this bounds what is read.
  private static let mostListed = 4096

  // MARK: The app's side

  /// A question is held for it from now on. Reads no rows: of many who ask at once none has to begin again.
  static func listen(
    _ listener: Listener, question: String, for milliseconds: Int64, in state: borrowing StateWriting
  ) throws {
    let now = try state.reading.clock()
    let earlier: String?? = try state.row(
      """
      INSERT INTO command_listener(owner, launch, bundle, names, question, earlier, seenAt, endsAt)
      VALUES (?1, ?2, ?3, ?4, ?5, NULL, ?6, ?7)
      ON CONFLICT (owner, launch) DO UPDATE SET
        bundle = excluded.bundle, names = excluded.names, earlier = command_listener.question,
        question = excluded.question, seenAt = excluded.seenAt, endsAt = excluded.endsAt
      RETURNING earlier
      """, listener.address.owner.name, listener.launch, listener.bundle, listener.names.joined(separator: ","),
      question, now, now + milliseconds
    ).map { try $0[0] }
    // Of a connection that is gone: whoever holds it lets it go.
    if earlier != .some(.none) { try state.tell(.commands, listener.launch) }
  }

  static func waiting(for launch: Address, question: String, in state: borrowing StateReading) throws -> Waiting {
    let row = try state.row(
      """
      SELECT question, (SELECT COUNT(*) FROM command WHERE owner = ?1 AND launch = ?2 AND taken = 0 AND endsAt > ?3)
      FROM command_listener WHERE owner = ?1 AND launch = ?2
      """, launch.owner.name, launch.launch, try state.clock())
    guard let row else { return .replaced }
    let (latest, count): (String?, Int) = try (row[0], row[1])
    return latest != question ? .replaced : count > 0 ? .commands : .nothing
  }

  /// What waits for an app, in the order in which it was given. With it, its question has been answered.
  ///
  /// - Returns: nothing also for a question that is not the app's latest: its connection is gone.
  static func take(
    for launch: Address, question: String, grace: Int64, in state: borrowing StateWriting
  ) throws -> [Command] {
    let now = try state.reading.clock()
    let latest: String?? = try state.row(
      "SELECT question FROM command_listener WHERE owner = ?1 AND launch = ?2", launch.owner.name, launch.launch
    ).map { try $0[0] }
    guard latest == question else { return [] }
    let rows = try state.rows(
      """
      UPDATE command SET taken = 1 WHERE owner = ?1 AND launch = ?2 AND taken = 0 AND endsAt > ?3
      RETURNING id, name, arguments, timeout, at
      """, launch.owner.name, launch.launch, now)
    let commands = try rows.map { row -> (at: Int64, command: Command) in
      let timeout: Int64 = try row[3]
      return try (row[4], Command(id: row[0], name: row[1], arguments: row[2], timeout: Double(timeout) / 1000))
    }
    guard !commands.isEmpty else { return [] }
    try rest(launch, question: question, for: grace, in: state)
    return commands.sorted { ($0.at, $0.command.id) < ($1.at, $1.command.id) }.map(\.command)
  }

  /// A question has ended: the app is there for so long without one, in milliseconds. Nothing when it has asked again since.
  static func rest(
    _ launch: Address, question: String, for milliseconds: Int64, in state: borrowing StateWriting
  ) throws {
    let now = try state.reading.clock()
    try state.execute(
      """
      UPDATE command_listener SET question = NULL, seenAt = ?1, endsAt = ?2
      WHERE owner = ?3 AND launch = ?4 AND question = ?5
      """, now, now + milliseconds, launch.owner.name, launch.launch, question)
  }

  /// - Returns: whether somebody waits for it, and this was the first.
  static func answer(
    _ id: String, launch: String, owner: DataOwner?, _ body: [UInt8], in state: borrowing StateWriting
  ) throws -> Bool {
    let now = try state.reading.clock()
    let changed = try state.execute(
      """
      UPDATE command SET answer = ?1
      WHERE id = ?2 AND launch = ?3 AND (owner = ?4 OR ?4 IS NULL) AND answer IS NULL AND endsAt > ?5
      """, body, id, launch, owner?.name, now)
    guard changed > 0 else { return false }
    try state.tell(.answers, id)
    return true
  }

  // MARK: The operator's side

  static func presence(in state: borrowing StateReading) throws -> (listeners: [Listener], left: [Address]) {
    let now = try state.clock()
    let there = try state.rows(
      """
      SELECT owner, launch, bundle, names, seenAt FROM command_listener WHERE endsAt > ?1
      ORDER BY seenAt DESC, launch LIMIT ?2
      """, now, mostListed)
    let left = try state.rows(
      "SELECT owner, launch FROM command_listener WHERE endsAt <= ?1 ORDER BY endsAt DESC, launch LIMIT ?2", now,
      CommandExchange.maximumLeft)
    return (
      try there.map { row in
        let names: String = try row[3]
        return try Listener(
          address: address(row), bundle: row[2], names: names.split(separator: ",").map(String.init), lastSeen: row[4])
      }, try left.reversed().map(address)
    )
  }

  private static func address(_ row: StateRow) throws -> Address {
    try Address(owner: DataOwner(name: row[0]), launch: row[1])
  }

  /// - Parameter milliseconds: how long somebody waits for the answer.
  static func give(
    _ command: Command, to launch: Address, for milliseconds: Int64, in state: borrowing StateWriting
  ) throws -> Outcome {
    let now = try state.reading.clock()
    let isThere = try state.row(
      "SELECT 1 FROM command_listener WHERE owner = ?1 AND launch = ?2 AND endsAt > ?3", launch.owner.name,
      launch.launch, now)
    guard isThere != nil else { return .gone }
    try state.execute("DELETE FROM command WHERE endsAt <= ?1", now)
    let all: Int = try state.value("SELECT COUNT(*) FROM command") ?? 0
    let queued: Int =
      try state.value(
        "SELECT COUNT(*) FROM command WHERE owner = ?1 AND launch = ?2 AND taken = 0", launch.owner.name, launch.launch)
      ?? 0
    guard all < CommandExchange.maximumCommands, queued < CommandExchange.maximumPerLaunch else { return .busy }
    try state.execute(
      """
      INSERT INTO command(id, owner, launch, name, arguments, timeout, at, endsAt)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """, command.id, launch.owner.name, launch.launch, command.name, command.arguments,
      Int64(command.timeout * 1000), now, now + milliseconds)
    try state.tell(.commands, launch.launch)
    return .given
  }

  /// What the app said to a command, which is done with that; nil when it has not yet.
  static func fetch(_ id: String, in state: borrowing StateWriting) throws -> [UInt8]? {
    try state.value("DELETE FROM command WHERE id = ?1 AND answer IS NOT NULL RETURNING answer", id)
  }

  /// Nobody waits any more: what was said at the last moment, or nothing.
  static func giveUp(_ id: String, in state: borrowing StateWriting) throws -> [UInt8]? {
    try state.row("DELETE FROM command WHERE id = ?1 RETURNING answer", id).flatMap { try $0[0] as [UInt8]? }
  }

  // MARK: Time

  /// Commands for which nobody waits are what a collector leaves that was killed.
  static func hasOld(in state: borrowing StateReading) throws -> Bool {
    let now = try state.clock()
    let commands: Int = try state.value("SELECT COUNT(*) FROM command WHERE endsAt <= ?1", now) ?? 0
    let row = try state.row(
      "SELECT COUNT(*), COALESCE(MIN(endsAt), ?1) FROM command_listener WHERE endsAt <= ?1", now)
    guard let row else { return commands > 0 }
    let (left, oldest): (Int, Int64) = try (row[0], row[1])
    return commands > 0 || left > CommandExchange.maximumLeft || oldest < now - longestLeft
  }

  static func removeOld(in state: borrowing StateWriting) throws {
    let now = try state.reading.clock()
    try state.execute("DELETE FROM command WHERE endsAt <= ?1", now)
    // The last that is one too many, and those before it.
    let end: Int64? = try state.value(
      "SELECT endsAt FROM command_listener WHERE endsAt <= ?1 ORDER BY endsAt DESC LIMIT 1 OFFSET ?2", now,
      CommandExchange.maximumLeft)
    try state.execute("DELETE FROM command_listener WHERE endsAt <= ?1", max(end ?? 0, now - longestLeft))
  }
}
