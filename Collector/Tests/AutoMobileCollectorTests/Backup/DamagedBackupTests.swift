import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `Backups that are damaged, or made to harm` {
  private let places: TemporaryDirectory
  private let data: URL
  private let backup: URL

  init() async throws {
    places = try TemporaryDirectory()
    data = places.url.appending(path: "data")
    try await RunningCollector.with(directory: data) { collector in
      let batch = `Backups beside a collector that runs`.batch("one")
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 3)
    }
    backup = try Backup.make(of: data, in: places.url.appending(path: "backups")).directory
  }

  private func refusal(to target: String = "restored") -> String? {
    do {
      try Backup.restore(backup, to: places.url.appending(path: target))
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Nothing is left behind of what was not restored.
  private var leftovers: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: places.url.path))?.filter {
      !["data", "backups"].contains($0)
    }
      ?? []
  }

  @Test func `a bit that fell over is found, by the check and by the restoration`() throws {
    let file = backup.appending(path: "index.sqlite")
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: file)
    #expect(throws: BackupError.self) { try Backup.check(backup) }
    #expect(refusal()?.contains("index.sqlite is missing or damaged") == true)
    try FileManager.default.removeItem(at: file)
    #expect(refusal()?.contains("index.sqlite is missing or damaged") == true)
    #expect(leftovers.isEmpty)
  }

  @Test func `one without its manifest is none, nor is one with another program's`() throws {
    let file = backup.appending(path: BackupManifest.name)
    try Data(#"{"version":1}"#.utf8).write(to: file)
    #expect(refusal()?.contains("damaged, or it is something else") == true)
    try FileManager.default.removeItem(at: file)
    #expect(refusal()?.contains("is no backup, and holds none") == true)
    #expect(leftovers.isEmpty)
  }

  @Test(arguments: ["../outside", "/etc/passwd", "replays/../../outside", "a//b", ".", "", "replays/./1.pack", "a\nb"])
  func `a manifest that leads out of the directory is refused`(path: String) throws {
    var manifest = try BackupManifest(reading: backup)
    manifest.files.append(.init(path: path, size: 0, sha256: "", modified: 0))
    try FileManager.default.removeItem(at: backup.appending(path: BackupManifest.name))
    try manifest.write(to: backup)
    #expect(refusal()?.contains("names a file that no backup has") == true)
    #expect(leftovers.isEmpty)
  }

  @Test func `a link in a backup leads nowhere`() throws {
    let file = backup.appending(path: "index.sqlite")
    let elsewhere = places.url.appending(path: "backups/elsewhere")
    try FileManager.default.moveItem(at: file, to: elsewhere)
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: elsewhere)
    #expect(refusal()?.contains("index.sqlite is missing or damaged") == true)
  }

  @Test func `a newer collector's is refused with what to do`() throws {
    var manifest = try BackupManifest(reading: backup)
    manifest.version = 2
    try FileManager.default.removeItem(at: backup.appending(path: BackupManifest.name))
    try manifest.write(to: backup)
    #expect(refusal()?.contains("update this one") == true)
  }

  @Test func `nothing is overwritten, and no backup lies in what it copies`() throws {
    #expect(refusal(to: "data")?.contains("is not empty") == true)
    for place in ["data", "data/backups"] {
      #expect(throws: BackupError.self) { try Backup.make(of: data, in: places.url.appending(path: place)) }
    }
    #expect(throws: BackupError.self) {
      try Backup.make(of: places.url.appending(path: "backups"), in: places.url.appending(path: "others"))
    }
    #expect(refusal() == nil)
    #expect(leftovers == ["restored"])
  }
}
