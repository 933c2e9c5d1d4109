import AutoMobileSDK
import AutoMobileSupport
import Foundation
import ReplayTesting
import Testing

@testable import AutoMobileReplay

/// What nobody takes for a while.
@Suite(.serialized) struct `A replay that is kept and refused` {
  /// Long enough for whatever would be sent.
  private func wait() async throws { try await Task.sleep(nanoseconds: 300_000_000) }

  @Test(arguments: [401, 402, 403, 404, 418])
  func `stays, whatever is refused for a while, and goes when it is not any more`(status: Int) async throws {
    let bench = try KeptBench()
    _ = await bench.studio.recorder.start()
    bench.record(seconds: 60)
    bench.server.always(.presign, .status(status))
    bench.name(31...32)
    #expect(await eventually { bench.server.steps.contains(.presign) })
    _ = await bench.studio.recorder.stop()
    try await wait()
    #expect(bench.sessions.first?.frameFiles().count == 60)
    bench.server.always(.presign, nil)
    #expect(await eventually { bench.arrived == [30] && bench.server.ends.count == 1 })
    #expect(await eventually { bench.sessions.first?.frameFiles().count == 50 })
  }

  @Test func `and goes on asks no oftener than after a minute, then two, where it is refused`() async throws {
    let bench = try KeptBench()
    _ = await bench.studio.recorder.start()
    bench.record(seconds: 35)
    bench.server.always(.presign, .status(403))
    bench.name(21...22)
    #expect(await eventually { bench.server.steps.contains(.presign) })
    bench.record(seconds: 55)
    try await wait()
    #expect(bench.server.steps.filter { $0 == .presign }.count == 1)
    bench.server.always(.presign, nil)
    // The wait began when the refusal was read, which may be some of those seconds later.
    let hasArrived = await eventually {
      bench.record(seconds: 1)
      return bench.arrived == [20]
    }
    #expect(hasArrived)
    _ = await bench.studio.recorder.stop()
  }

  @Test func `loses the one segment that the collector refuses, and no other`() async throws {
    let bench = try KeptBench()
    _ = await bench.studio.recorder.start()
    bench.record(seconds: 60)
    _ = await bench.studio.recorder.stop()
    let refusal = #"{"ok":false,"error":{"code":"newer_frame_format","message":"m"}}"#
    bench.server.next(.put, [ReplayServer.Answer(status: 400, body: refusal)])
    bench.name(15...32)
    #expect(await eventually { bench.arrived == [20, 30] && bench.sessions.first?.frameFiles().count == 30 })
    try await wait()
    #expect(bench.sessions.first?.frameFiles().count == 30)
  }
}
