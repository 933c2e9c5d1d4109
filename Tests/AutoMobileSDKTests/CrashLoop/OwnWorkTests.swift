import AutoMobileSupport
import CAutoMobile
import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct OwnWorkTests {
  private var isOwn: Bool { am_own_work_is_done_by(am_thread_current()) }

  @Test func `a thread does the SDK's work as long as it does, but for the app's code in between`() {
    #expect(!isOwn)
    OwnWork.run {
      #expect(isOwn)
      OwnWork.run { #expect(isOwn) }
      #expect(isOwn, "the outer one still does")
      _ = ErrorBarrier.run(.batchObserver) {
        #expect(!isOwn)
        _ = ErrorBarrier.run(.batchObserver) { #expect(!isOwn) }
        OwnWork.run {
          #expect(isOwn, "the app has called the SDK")
          OwnWork.run { #expect(isOwn) }
          OwnWork.pause { #expect(!isOwn) }
          #expect(isOwn)
        }
        #expect(!isOwn)
      }
      #expect(isOwn)
    }
    #expect(!isOwn)
    OwnWork.pause { #expect(!isOwn) }
  }

  @Test func `what a system framework calls is the SDK's work, unless it hands on what the app wants to be told`() {
    for place in BarrierPlace.allCases {
      let owns = Locked<[Bool]>([])
      _ = ErrorBarrier.run(place) { owns.withLock { $0.append(isOwn) } }
      _ = OwnWork.run { ErrorBarrier.run(place) { owns.withLock { $0.append(isOwn) } } }
      #expect(owns.withLock { $0 } == [place.isOwnWork, place.isOwnWork], "\(place)")
      #expect(!isOwn)
    }
    _ = ErrorBarrier.run(.viewAppearance) {
      _ = ErrorBarrier.run(.navigationListener) {
        #expect(!isOwn)
        // A listener that shows a screen.
        _ = ErrorBarrier.run(.viewAppearance) { #expect(isOwn) }
        #expect(!isOwn)
      }
      #expect(isOwn)
    }
    #expect(BarrierPlace.allCases.filter(\.isOwnWork).count == 9)
  }

  @Test func `so does every block that the SDK hands to a queue`() async {
    let queue = BackgroundQueue.make("test")
    let own = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: am_own_work_is_done_by(am_thread_current())) }
    }
    #expect(own)
    let later = await withCheckedContinuation { continuation in
      queue.asyncAfter(deadline: .now()) { continuation.resume(returning: am_own_work_is_done_by(am_thread_current())) }
    }
    #expect(later)
    let timer = GCDTimer()
    let fired = await withCheckedContinuation { continuation in
      timer.schedule(intervalMs: 1) {
        timer.cancel()
        continuation.resume(returning: am_own_work_is_done_by(am_thread_current()))
      }
    }
    #expect(fired)
  }

  @Test func `more threads than there is room for are the app's`() async {
    let count = 100
    let together = Locked((here: 0, own: 0, marked: 0))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask {
          await withCheckedContinuation { continuation in
            Thread.detachNewThread {
              OwnWork.run {
                let isOwn = am_own_work_is_done_by(am_thread_current())
                together.withLock {
                  $0.here += 1
                  $0.own += isOwn ? 1 : 0
                }
                while together.withLock({ $0.here }) < count { usleep(1000) }
              }
              if am_own_work_is_done_by(am_thread_current()) { together.withLock { $0.marked += 1 } }
              continuation.resume()
            }
          }
        }
      }
    }
    #expect((1...64).contains(together.withLock { $0.own }))
    #expect(together.withLock { $0.marked } == 0)
  }
}
