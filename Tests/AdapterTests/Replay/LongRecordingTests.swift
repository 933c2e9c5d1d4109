import AutoMobileSDK
import AutoMobileSupport
import Foundation
import HeapStatistics
import ReplayTesting
import Testing
import UIKit

@testable import AutoMobileReplay

/// The whole path, for some minutes of simulated time: what is held does not grow. `adapter-bench replay-hour` does the same
/// for an hour.
@MainActor @Suite(.serialized) struct `A long recording` {
  private let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("long-recording-\(UUID().uuidString)")

  /// A screen is read, another is scrolled, and somebody types.
  private var story: [(screen: SyntheticScreen, frames: Int)] {
    let typing = SyntheticScreen.typing()
    Replay.unmask(typing.window)
    return [(.form(), 20), (.list(by: 75, "scrolling"), 15), (typing, 15)]
  }

  @Test func `with a collector that takes everything, memory, files and descriptors are bounded`() async throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let receiver = try ReplayReceiver(.accepts)
    defer { receiver.stop() }
    let taken = Taken()
    let replay = SimulatedReplay(story, root: directory, base: receiver.url) {
      CountedSink(sink: $0, taken: taken)
    }
    #expect(await replay.start().success)
    var heap: [Int] = []
    var most = (files: 0, descriptors: 0)
    for frame in 1...300 {
      replay.step()
      replay.settle()
      let deadline = Date() + 90
      while replay.waitingFrames.count > 100, Date() < deadline { try await Task.sleep(nanoseconds: 2_000_000) }
      most.files = max(most.files, replay.waitingFrames.count)
      guard frame % 50 == 0 else { continue }
      heap.append(Int(clamping: heap_live_bytes()))
      most.descriptors = max(most.descriptors, descriptors)
    }
    let begin = descriptors
    await replay.stop()
    #expect(most.files <= 110 && replay.waitingFrames.isEmpty)
    #expect(most.descriptors < begin + 20)
    // One picture is 843 KB: whoever kept one for each frame would have 200 MB.
    #expect((heap.max() ?? 0) - heap[0] < 4_000_000, "\(heap)")
    #expect(receiver.counts.ends == 1 && receiver.counts.metrics["framesDropped"] == 0)
    #expect(receiver.counts.metrics["framesRecorded"] == taken.frames && taken.frames > 150)
  }

  @Test func `with one that takes nothing, at most five hundred frames and fifty batches wait`() async throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let receiver = try ReplayReceiver(.refuses)
    defer { receiver.stop() }
    let taken = Taken()
    // Everything changes all the time.
    let replay = SimulatedReplay([(.list(by: 75, "scrolling"), 200)], root: directory, base: receiver.url) {
      CountedSink(sink: $0, taken: taken)
    }
    #expect(await replay.start().success)
    var heap: [Int] = []
    for frame in 1...540 {
      replay.step()
      replay.settle()
      if frame % 60 == 0 { heap.append(Int(clamping: heap_live_bytes())) }
    }
    let waiting = replay.waitingFrames
    #expect(waiting.count == FrameBacklog.maximumFrames)
    #expect(waiting.filter { $0.hasSuffix("-key.amf") }.count <= FrameBacklog.maximumBatches)
    #expect((heap.max() ?? 0) - heap[0] < 4_000_000, "\(heap)")
    receiver.answer(as: .accepts)
    // By then the collector is asked again.
    replay.pass(CircuitBreaker.longestWait)
    await replay.stop()
    let metrics = receiver.counts.metrics
    let dropped = metrics["framesDropped"] ?? 0
    #expect(taken.frames > 520 && metrics["framesRecorded"] == 500)
    #expect(dropped == taken.frames - 500 && metrics["framesDropped.network"] == dropped)
  }

  private var descriptors: Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0 }
}

/// How many frames capture has handed over.
private final class Taken: Sendable {
  private let count = Locked(0)
  var frames: Int { count.withLock { $0 } }
  func note() { count.withLock { $0 += 1 } }
}

private struct CountedSink: ReplaySink {
  let sink: any ReplaySink
  let taken: Taken

  func accept(_ frame: ReplayFrame) {
    taken.note()
    sink.accept(frame)
  }
  func accept(_ snapshot: ReplaySnapshot) { sink.accept(snapshot) }
  func dropped(_ loss: CaptureLoss) { sink.dropped(loss) }
}
