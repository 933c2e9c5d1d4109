import ArgumentParser
import AutoMobileCollector

/// `automobile store move --blobs FROM TO`, `automobile store move --state PLACE`, and `automobile store move --store PLACE --state PLACE`.
struct StoreMoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move replays, symbols and sources, the state, or events, to another store.",
    discussion: """
      automobile store move --blobs folder "s3://recordings/team?region=eu-central-1"
      automobile store move --blobs "s3://recordings/team?region=eu-central-1" folder

      Each blob is read back and compared before anything is removed. Ended early, it goes on when it is called again. The key \
      of an S3 store is in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or in AWS_SHARED_CREDENTIALS_FILE.

      automobile store move --state postgres://HOST/DATABASE

      Moves projects, keys, settings and decisions into an empty database, as a whole or not at all, and compares them. From then on the \
      directory's collector starts with --state only.

      automobile store move --store clickhouse://HOST/DATABASE --state postgres://HOST/DATABASE

      Puts the events of the directory into ClickHouse, with their contexts and launches; before that it moves the state, unless there \
      is one. With --blobs "s3://…", where the collectors there have theirs, its replays are put there, too; without it they stay. The \
      directory's events and replays stay as they are; ended early, it goes on when it is called again.
      """)

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "From where and to where: folder, which is the data directory, or s3://…. With --store: where replays are put.",
      valueName: "place"))
  var blobs: [String] = []

  @Option(help: ArgumentHelp("Where events are moved to: clickhouse://USER@HOST/DATABASE.", valueName: "place"))
  var store: String?

  @Flag(help: "Leave them in the old place as well.")
  var keep = false

  @OptionGroup var options: StoreOptions

  func validate() throws {
    if let store {
      guard blobs.count <= 1, !keep else {
        throw ValidationError("With --store, --blobs names one place: where the collectors there have their replays.")
      }
      for place in blobs where try StoreOptions.place(place) == .folder {
        throw ValidationError("--blobs: with --store, replays are put into s3://…, where all collectors read them.")
      }
      guard try StoreOptions.telemetry(store) != .folder else {
        throw ValidationError("--store: events are moved to clickhouse://….")
      }
      return
    }
    if blobs.isEmpty, let state = options.state {
      guard !keep, try StoreOptions.statePlace(state) != .folder else {
        throw ValidationError("--state: the state is moved to postgres://….")
      }
      return
    }
    guard blobs.count == 2 else { throw ValidationError("--blobs needs two places: from where, and to where.") }
    for place in blobs { _ = try StoreOptions.place(place) }
  }

  func run() async throws {
    // Before the directory's state is elsewhere for good.
    if let store { try await options.examineTelemetry(store) }
    if let state = options.state, blobs.isEmpty || store != nil {
      try await options.moveState(to: state, beside: store != nil)
    }
    if let store {
      return try await options.moveTelemetry(to: store, replays: try blobs.first.map(StoreOptions.place))
    }
    guard !blobs.isEmpty else { return }
    let console = Console.standard
    let (old, new) = (try StoreOptions.place(blobs[0]), try StoreOptions.place(blobs[1]))
    let maintenance = try options.open()
    defer { maintenance.close() }
    var bar: ProgressBar?
    let done = try await StoreOptions.explained {
      try await maintenance.move(from: old, to: new, keeping: keep) { progress in
        if bar == nil { bar = ProgressBar(console, total: progress.all, unit: "blobs") }
        bar?.update(progress.done)
      }
    }
    bar?.finish()
    if options.json {
      let line: JSON = [
        "blobs": JSON(done.all), "bytes": JSON(Int(done.bytes)), "place": .string(try maintenance.known),
      ]
      return console.out(line.line)
    }
    console.out("moved \(Format.count(done.all)) blobs, \(Format.bytes(Int(done.bytes)))")
    if new != .folder { console.note("Start the collector with --blobs from now on.") }
  }
}
