import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import AutoMobileCollector

@Suite struct `What a lane waits for` {
  private static func seconds(_ body: () async -> Void) async -> Double {
    let start = ContinuousClock.now
    await body()
    return start.duration(to: .now) / .seconds(1)
  }

  @Test(.timeLimit(.minutes(1))) func `news that came before are not missed, and are no news twice`() async {
    let bell = ForwardBell()
    bell.ring()
    await bell.wait()
    let task = Task { await bell.wait() }
    try? await Task.sleep(for: .milliseconds(100))
    bell.ring()
    await task.value
  }

  @Test(.timeLimit(.minutes(1))) func `a rest is not ended by news, and both are ended by the end`() async {
    let bell = ForwardBell()
    let ringing = Task {
      try? await Task.sleep(for: .milliseconds(50))
      bell.ring()
    }
    #expect(await Self.seconds { await bell.rest(0.3) } >= 0.29)
    await ringing.value
    // Rung meanwhile.
    await bell.wait()
    let resting = Task { await bell.rest(nil) }
    try? await Task.sleep(for: .milliseconds(50))
    bell.end()
    await resting.value
    await bell.wait()
    await bell.rest(1000)
    #expect(bell.hasEnded)
  }

  @Test(.timeLimit(.minutes(1))) func `rung from many threads, a listener sees the last news`() async {
    let bell = ForwardBell()
    let state = NIOLockedValueBox(0)
    let listener = Task {
      while state.withLockedValue({ $0 }) < 4000 { await bell.wait() }
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<1000 {
            state.withLockedValue { $0 += 1 }
            bell.ring()
          }
        }
      }
    }
    await listener.value
  }

  @Test func `quiet work is done in turn, and none after the end`() async throws {
    let thread = QuietThread("quiet-test")
    for number in 0..<20 { #expect(try await thread.run { number } == number) }
    await #expect(throws: POSIXError.self) { try await thread.run { throw POSIXError(.EIO) } }
    thread.stop()
    await #expect(throws: CancellationError.self) { try await thread.run { 1 } }
  }
}
