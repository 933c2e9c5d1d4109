import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `What other users of the machine can see` {
  /// Permissions of everything below a directory, by path, links not followed.
  private static func modes(_ directory: URL) throws -> [String: mode_t] {
    var modes = ["": try mode(directory.path)]
    for case let path as String in try #require(FileManager.default.enumerator(atPath: directory.path)) {
      modes[path] = try mode(directory.path + "/" + path)
    }
    return modes
  }

  private static func mode(_ path: String) throws -> mode_t {
    let status = try PrivateFiles.status(path)
    return try #require(status).st_mode & 0o7777
  }

  private static func isClosed(_ mode: mode_t) -> Bool { mode & 0o077 == 0 }

  /// Everything that a collector makes while it runs: events, a replay, symbols.
  private static func fill(_ collector: RunningCollector) async throws {
    var batch = RawBatch()
    batch.addLog("kept")
    try await collector.post(raw: batch)
    try await collector.waitForLaunch(batch.launch, stored: 1)
  }

  @Test func `nothing in a data directory can be read by others, while the collector runs and after`() async throws {
    let temporary = try TemporaryDirectory()
    // Below a directory that is not the collector's own.
    let data = temporary.url.appending(path: "data")
    try await RunningCollector.with(directory: data) { collector in
      try await Self.fill(collector)
      let modes = try Self.modes(data)
      for (path, mode) in modes { #expect(Self.isClosed(mode), "\(path) \(String(mode, radix: 8))") }
      for name in [
        "index.sqlite", "index.sqlite-wal", "index.sqlite-shm", "ingest", "packs", "replays", "symbols", "lock",
      ] {
        #expect(modes[name] != nil, "\(name)")
      }
    }
    for (path, mode) in try Self.modes(data) { #expect(Self.isClosed(mode), "\(path) \(String(mode, radix: 8))") }
  }

  @Test func `a directory that stood open is closed at the start, with everything in it`() async throws {
    let temporary = try TemporaryDirectory()
    let data = temporary.url.appending(path: "data")
    try await RunningCollector.with(directory: data) { try await Self.fill($0) }
    // As from an archive that was unpacked with no umask.
    for path in ["ingest/deep", "packs/deep", "replays/deep", "symbols/deep"] {
      let directory = data.appending(path: path)
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try Data("secret".utf8).write(to: directory.appending(path: "file"))
    }
    for (path, _) in try Self.modes(data) {
      let full = data.path + "/" + path
      var isDirectory: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: full, isDirectory: &isDirectory)
      #expect(chmod(full, isDirectory.boolValue ? 0o777 : 0o666) == 0)
    }
    try await RunningCollector.with(directory: data) { collector in
      try await Self.fill(collector)
      for (path, mode) in try Self.modes(data) { #expect(Self.isClosed(mode), "\(path) \(String(mode, radix: 8))") }
    }
  }

  @Test func `a program without a umask makes no file that others can read`() async throws {
    let temporary = try TemporaryDirectory()
    let data = temporary.url.appending(path: "data")
    let process = try await CollectorProcess(directory: data, umask: "000")
    var batch = RawBatch()
    batch.addLog("kept")
    #expect(try await process.post(batch) == 200)
    for (path, mode) in try Self.modes(data) { #expect(Self.isClosed(mode), "\(path) \(String(mode, radix: 8))") }
    #expect(await process.terminate() == 0)
  }

  @Test func `what leads out of the directory is refused, and what it leads to stays as it was`() throws {
    let temporary = try TemporaryDirectory()
    let elsewhere = temporary.url.appending(path: "elsewhere")
    try Data("not the collector's".utf8).write(to: elsewhere)
    #expect(chmod(elsewhere.path, 0o644) == 0)
    for name in ["index.sqlite", "ingest", "symbols/x.sym", "lock"] {
      let data = temporary.url.appending(path: "data-\(name.prefix(3))")
      let link = data.appending(path: name)
      try FileManager.default.createDirectory(at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: data.appending(path: "index.sqlite-journal"))
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: elsewhere)
      #expect {
        try Collector(CollectorOptions(dataDirectory: data))
      } throws: { error in
        if case .directoryUnusable = error as? CollectorError { true } else { false }
      }
      #expect(try Self.mode(elsewhere.path) == 0o644)
      #expect(try Data(contentsOf: elsewhere) == Data("not the collector's".utf8))
    }
  }

  @Test func `a directory that others write to, or that holds other things, is not taken over`() throws {
    let temporary = try TemporaryDirectory()
    let home = temporary.url.appending(path: "home")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    try Data().write(to: home.appending(path: "letter.txt"))
    #expect(chmod(home.path, 0o755) == 0 && chmod(home.appending(path: "letter.txt").path, 0o644) == 0)
    _ = try DataDirectory(home)
    let modes = try Self.modes(home)
    #expect(modes[""] == 0o755 && modes["letter.txt"] == 0o644 && modes["index.sqlite"] == 0o600)

    for mode: mode_t in [0o777, 0o1777, 0o775] {
      let shared = temporary.url.appending(path: "shared-\(mode)")
      try FileManager.default.createDirectory(at: shared, withIntermediateDirectories: true)
      try Data().write(to: shared.appending(path: "letter.txt"))
      #expect(chmod(shared.path, mode) == 0)
      #expect(throws: CollectorError.self) { try DataDirectory(shared) }
      #expect(try Self.modes(shared)[""] == mode)
    }
  }

  @Test func `what belongs to somebody else is refused`() throws {
    var status = stat()
    #expect(stat("/etc/passwd", &status) == 0)
    if geteuid() == 0 {
      // The superuser may, a container runs so.
      try PrivateFiles.own(status, "/etc/passwd")
    } else {
      #expect(throws: PrivateFiles.Foreign.self) { try PrivateFiles.own(status, "/etc/passwd") }
    }
  }
}
