import AutoMobileSupport
import CAutoMobile
import Foundation
import Testing

@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder

/// A main thread that waits for work is not woken each time to be asked.
struct IdlePlaceTests {
  private let runLoop = IdlePlace.Place(stack: 0x7FFF_0000, code: 0x1000)
  private let elsewhere = IdlePlace.Place(stack: 0x7FFE_0000, code: 0x1000)

  @Test func `a place is known after two answers at once from there`() {
    var idle = IdlePlace()
    #expect(!idle.isIdle(at: runLoop) && !idle.isIdle(at: nil))
    for question in 1...2 {
      #expect(!idle.isIdle(at: runLoop))
      idle.asked(UInt64(question), at: 1000, runLoop)
      idle.heard(.init(question: UInt64(question), time: 1001))
    }
    #expect(idle.isIdle(at: runLoop))
    #expect(!idle.isIdle(at: elsewhere) && !idle.isIdle(at: nil))
  }

  @Test(arguments: [
    HangMachine.Answer(question: 3, time: 1900),
    HangMachine.Answer(question: 3, time: 1021),
  ])
  func `a late answer from there means that it was another wait`(_ late: HangMachine.Answer) {
    var idle = IdlePlace()
    for question in 1...2 {
      idle.asked(UInt64(question), at: 1000, runLoop)
      idle.heard(.init(question: UInt64(question), time: 1000))
    }
    idle.asked(3, at: 1000, runLoop)
    #expect(idle.isIdle(at: runLoop))
    idle.heard(late)
    #expect(!idle.isIdle(at: runLoop))
  }

  @Test func `an answer to another question, or from a thread that ran, teaches nothing`() {
    var idle = IdlePlace()
    idle.asked(1, at: 1000, runLoop)
    idle.heard(.init(question: 7, time: 1000))
    idle.heard(nil)
    idle.asked(2, at: 1000, nil)
    idle.heard(.init(question: 2, time: 1000))
    idle.asked(3, at: 1000, nil)
    idle.heard(.init(question: 3, time: 1000))
    #expect(!idle.isIdle(at: nil) && !idle.isIdle(at: runLoop))
  }

  @Test func `while the main thread waits for work it is asked one time in four, and hangs are found as before`() {
    var asked = HangWorld()
    asked.run(for: 60_000)
    var seen = HangWorld(seesIdle: true)
    seen.run(for: 60_000)
    #expect(asked.questions == 121)
    #expect(seen.questions == 30)
    for start in stride(from: Int64(1000), to: 4000, by: 37) {
      var world = HangWorld(seesIdle: true)
      world.block(from: start, for: 2600)
      world.block(from: start + 10_000, for: 1900)
      world.run(for: 30_000)
      world.expectTruth()
      #expect(world.told.count == 2)
    }
  }

  #if os(Linux)
  /// A thread that reads from a pipe until it gets a byte, directly or from within another frame.
  private final class Sleeper: Sendable {
    let id = Locked<am_thread_id>(0)
    private let pipe = Pipe()

    func start() {
      let descriptor = pipe.fileHandleForReading.fileDescriptor
      Thread.detachNewThread { [self] in
        id.withLock { $0 = am_thread_current() }
        var byte: UInt8 = 0
        repeat { read(descriptor, &byte, 1) } while byte == 1
        if byte == 2 { deeper(descriptor) }
        id.withLock { $0 = 0 }
      }
    }

    @inline(never) private func deeper(_ descriptor: Int32) {
      withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { bytes in
        _ = read(descriptor, bytes.baseAddress, 1)
      }
    }

    func wake(_ byte: UInt8) { pipe.fileHandleForWriting.write(Data([byte])) }

    /// Where it sleeps, once it does.
    func place(not other: IdlePlace.Place? = nil) async -> IdlePlace.Place? {
      var place: IdlePlace.Place?
      _ = await eventually {
        place = IdlePlace.Place(self.id.withLock { $0 })
        return place != nil && place != other
      }
      return place
    }
  }

  @Test func `a thread that sleeps is seen from outside, at the same place each time, and elsewhere in another wait`()
    async throws
  {
    let sleeper = Sleeper()
    sleeper.start()
    _ = await eventually { sleeper.id.withLock { $0 } != 0 }
    // Until it has reached its wait, it may be seen waiting for something else.
    var place = await sleeper.place()
    for _ in 0..<3 {
      sleeper.wake(1)
      place = await sleeper.place()
    }
    let first = try #require(place)
    #expect(await eventually { IdlePlace.Place(sleeper.id.withLock { $0 }) == first })
    sleeper.wake(2)
    let second = try #require(await sleeper.place(not: first))
    #expect(second != first)
    sleeper.wake(0)
    #expect(await eventually { sleeper.id.withLock { $0 } == 0 })
    #expect(IdlePlace.Place(nil) == nil && IdlePlace.Place(4_000_000) == nil)
  }
  #endif
}
