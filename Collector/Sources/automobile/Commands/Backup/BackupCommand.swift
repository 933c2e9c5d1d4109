import ArgumentParser
import AutoMobileCollector
import Foundation

/// `automobile backup`: a copy of a data directory, beside a collector that runs.
struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy a collector's data directory, while it runs.",
    discussion: """
      automobile backup --to /backups/automobile
      automobile backup --to /backups/automobile --keep 14       the newest 14 stay
      automobile backup --check /backups/automobile              reads the newest and compares it
      automobile restore /backups/automobile --data NEW

      Each backup is a directory of its own, named by its time. What has not changed since the last one is shared with it (hard \
      links), so each costs what came since. It holds everything that was acknowledged when it began. It is as secret as the \
      data: run this as the collector's user, who alone can read the copy.
      """)

  @Option(help: "The data directory of the collector.")
  var data: String?

  @Option(help: "Where backups are: a directory outside of the data directory.")
  var to: String?

  @Option(help: "How many backups are kept; the oldest go.")
  var keep: Int?

  @Option(help: "Compare this backup, or the newest in this directory, with what was written.")
  var check: String?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard (to == nil) != (check == nil) else {
      throw ValidationError("Say where backups are with --to, or --check one.")
    }
    guard check == nil || (keep == nil && data == nil) else {
      throw ValidationError("--check reads a backup: it takes neither --keep nor --data.")
    }
    guard keep.map({ (1...10_000).contains($0) }) ?? true else {
      throw ValidationError("--keep takes a number from 1 to 10000.")
    }
  }

  func run() async throws {
    let report = BackupReport(json: json)
    if let check {
      let backup = try report.explaining { try Backup.check(URL(filePath: check).absoluteURL, progress: $0) }
      return report.show(backup, "is whole")
    }
    guard let to else { return }
    let data = (data.map { URL(filePath: $0) } ?? DataDirectory.standard).absoluteURL
    let backup = try report.explaining {
      try Backup.make(of: data, in: URL(filePath: to).absoluteURL, keep: keep, progress: $0)
    }
    report.show(backup, "made, \(Format.bytes(Int(backup.copied))) of it new")
  }
}
