import ArgumentParser
import AutoMobileCollector

/// `automobile store check`.
struct StoreCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Read every replay, symbol and source that is kept, or compare events that were moved.",
    discussion: "Exits with 1 when one is missing or damaged. Blobs that nothing refers to are listed, and left alone.")

  @Option(
    help: ArgumentHelp(
      "Where they are, as the collector is started with; with --store: where they were moved to.", valueName: "place"))
  var blobs = "folder"

  @Option(help: ArgumentHelp("Compare with events in clickhouse://USER@HOST/DATABASE instead.", valueName: "place"))
  var store: String?

  @OptionGroup var options: StoreOptions

  func validate() throws {
    _ = try StoreOptions.place(blobs)
    guard let store else { return }
    guard try StoreOptions.telemetry(store) != .folder else {
      throw ValidationError("--store: events are compared with those in clickhouse://….")
    }
  }

  func run() async throws {
    if let store {
      let place = try StoreOptions.place(blobs)
      return try await options.checkTelemetry(in: store, replays: place == .folder ? nil : place)
    }
    let console = Console.standard
    let place = try StoreOptions.place(blobs)
    let maintenance = try options.open()
    defer { maintenance.close() }
    var bar: ProgressBar?
    let report = try await StoreOptions.explained {
      try await maintenance.check(place) { progress in
        if bar == nil { bar = ProgressBar(console, total: progress.all, unit: "blobs") }
        bar?.update(progress.done)
      }
    }
    bar?.finish()
    if options.json {
      let line: JSON = [
        "blobs": JSON(report.blobs), "bodies": JSON(report.bodies), "bytes": JSON(Int(report.bytes)),
        "problems": .array(report.problems.map { .string($0) }),
        "unreferenced": .array(report.strangers.map { .string($0.name.key) }),
      ]
      console.out(line.line)
    } else {
      console.out(
        "\(Format.count(report.blobs)) blobs with \(Format.count(report.bodies)) parts of replays, \(Format.bytes(Int(report.bytes)))"
      )
      for problem in report.problems { console.out(console.style.red(Printable.text(problem))) }
      for stranger in report.strangers.prefix(20) {
        console.note("nothing refers to \(Printable.text(stranger.name.key)): it is left over, or another collector's")
      }
      if report.strangers.count > 20 { console.note("\(Format.count(report.strangers.count - 20)) more like these") }
    }
    guard report.problems.isEmpty else {
      throw Failure(message: "\(Format.count(report.problems.count)) cannot be read.")
    }
  }
}
