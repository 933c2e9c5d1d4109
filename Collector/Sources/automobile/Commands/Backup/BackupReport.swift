import AutoMobileCollector
import Foundation

/// Says how a backup goes, and what came of it.
struct BackupReport {
  let json: Bool
  private let console = Console.standard

  init(json: Bool) { self.json = json }

  /// Runs `body` under a progress bar.
  func explaining(_ body: (Backup.Progress) throws -> Backup.Made) throws -> Backup.Made {
    var bar: ProgressBar?
    defer { bar?.finish() }
    do {
      return try body { done, total in
        if bar == nil { bar = ProgressBar(console, total: Int(total >> 20), unit: "MB") }
        bar?.update(Int(done >> 20))
      }
    } catch let error as BackupError {
      throw Failure(message: Printable.text(error.description))
    }
  }

  func show(_ made: Backup.Made, _ what: String) {
    let manifest = made.manifest
    guard !json else {
      let answer: JSON = [
        "backup": .string(made.directory.path), "createdAt": .integer(manifest.createdAt),
        "sessions": JSON(manifest.sessions), "events": JSON(manifest.events), "files": JSON(manifest.files.count),
        "bytes": .integer(manifest.bytes), "copied": .integer(made.copied),
        "stateElsewhere": made.stateElsewhere.map { .string($0) } ?? .null,
        "telemetryElsewhere": made.telemetryElsewhere.map { .string($0) } ?? .null,
      ]
      return console.out(answer.line)
    }
    console.out(console.style.bold(Printable.text(made.directory.path)) + " \(what)")
    console.out(
      "\(Format.plural(manifest.sessions, "session")) with \(Format.plural(manifest.events, "event")), "
        + "\(Format.plural(manifest.files.count, "file")), \(Format.bytes(Int(manifest.bytes)))")
    if let place = made.stateElsewhere {
      console.note("Projects, keys and decisions are in \(Printable.text(place)): back that up, too (pg_dump).")
    }
    if let place = made.telemetryElsewhere {
      console.note("Sessions and events are in \(Printable.text(place)): back that up, too.")
    }
  }
}
