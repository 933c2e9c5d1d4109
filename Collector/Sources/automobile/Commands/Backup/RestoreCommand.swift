import ArgumentParser
import AutoMobileCollector
import Foundation

/// `automobile restore BACKUP --data DIR`: a data directory out of a backup.
struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Make a data directory out of a backup.",
    discussion: """
      automobile restore /backups/automobile --data NEW                       the newest
      automobile restore /backups/automobile/2026-11-25T20-30-00Z --data NEW
      automobile serve --data NEW

      Every file is compared with what was written. Nothing is overwritten: NEW must not be there yet, or be empty.
      """)

  @Argument(help: "A backup, or a directory of several: then the newest.")
  var backup: String

  @Option(help: "The data directory to make.")
  var data: String

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let report = BackupReport(json: json)
    let target = URL(filePath: data).absoluteURL
    let made = try report.explaining {
      try Backup.restore(URL(filePath: backup).absoluteURL, to: target, progress: $0)
    }
    report.show(made, "restored: automobile serve --data \(Printable.text(data))")
  }
}
