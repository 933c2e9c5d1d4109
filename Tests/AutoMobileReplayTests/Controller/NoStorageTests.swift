import AutoMobileSDK
import AutoMobileSupport
import Foundation
import TestTools
import Testing

@testable import AutoMobileReplay

/// A start that has nowhere to record to says so.
@Suite(.serialized) struct NoStorageTests {
  private let temporary: TemporaryDirectory
  private let server: ReplayServer

  init() throws {
    temporary = try TemporaryDirectory()
    server = try ReplayServer()
  }

  private func expectNothing(_ studio: Studio) {
    #expect(studio.recorder.sessionId == nil && !studio.capture.isRunning)
    #expect(studio.telemetry.state.withLock { $0.marks.isEmpty })
    #expect(server.ends.isEmpty)
  }

  @Test func `a place that cannot be made is told by the start`() async throws {
    let file = temporary.url.appendingPathComponent("file")
    try Data().write(to: file)
    let studio = Studio(server, in: temporary) { $0.root = file.appendingPathComponent("replay") }
    #expect(await studio.recorder.start() == .failed("no_storage"))
    expectNothing(studio)
  }

  @Test func `too little free room is told by the start`() async throws {
    let studio = Studio(server, in: temporary) { $0.journal.freeDiskFloor = .max }
    #expect(await studio.recorder.start() == .failed("no_storage"))
    expectNothing(studio)
    #expect(SessionDirectory.all(in: studio.root).isEmpty)
  }

  @Test func `a start that is given up in the background leaves no files`() async throws {
    let studio = Studio(server, in: temporary)
    studio.recorder.controller.send(.enteredBackground)
    let result = Locked<ReplayStartResult?>(nil)
    Task { [recorder = studio.recorder] in
      let start = await recorder.start()
      result.withLock { $0 = start }
    }
    #expect(await eventually { !SessionDirectory.all(in: studio.root).isEmpty })
    _ = await studio.recorder.stop()
    #expect(await eventually { result.withLock { $0 } == .failed("stopped") })
    #expect(await eventually { SessionDirectory.all(in: studio.root).isEmpty })
  }

  #if os(Linux)
  @Test(.enabled(if: SmallDisk.isPossible))
  func `a full disk is told by the start, and the next one records when there is room`()
    async throws
  {
    let disk = try SmallDisk(kilobytes: 4096)
    defer { disk.remove() }
    let filler = disk.path + "/filler"
    #expect(FileManager.default.createFile(atPath: filler, contents: nil))
    let handle = try #require(FileHandle(forWritingAtPath: filler))
    while (try? handle.write(contentsOf: Data(count: 4096))) != nil {}
    try handle.close()
    let studio = Studio(server, in: temporary) {
      $0.root = URL(fileURLWithPath: disk.path).appendingPathComponent("replay")
    }
    #expect(await studio.recorder.start() == .failed("no_storage"))
    expectNothing(studio)
    unlink(filler)
    #expect(await studio.recorder.start().success)
    studio.capture.deliver(frame(studio.clock.now.wall))
    _ = await studio.recorder.stop()
    #expect(server.ends.count == 1)
  }
  #endif
}
