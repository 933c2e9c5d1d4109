import AutoMobileSupport
import CAutoMobile
import Foundation
import Testing

@testable import AutoMobileRecorder

/// Taking the stack of another thread of this process, as the hang detector does.
@Suite struct StackSampleTests {
  @Test func `a thread that waits shows its registers and its stack`() throws {
    let thread = Sampled { ready in
      ready()
      while !Thread.current.isCancelled { usleep(1000) }
    }
    try thread.expectSample()
  }

  @Test func `a thread that computes shows its registers and its stack`() throws {
    let thread = Sampled { ready in
      ready()
      var sum = 0
      while !Thread.current.isCancelled { sum &+= 1 }
      withExtendedLifetime(sum) {}
    }
    try thread.expectSample()
  }

  @Test func `a thread of a pool, which blocks most signals, answers all the same`() throws {
    let pool = DispatchQueue(label: "sampled")
    let (started, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let id = AtomicWord()
    pool.async {
      id.store(am_thread_current())
      started.signal()
      ended.wait()
    }
    started.wait()
    defer { ended.signal() }
    try withSample(of: id.value) { #expect(!$0.is_silent) }
  }

  @Test func `a thread that is gone, and this one, give nothing`() throws {
    var sample = am_stack_sample()
    #expect(!am_stack_sample(am_thread_current(), &sample, 1_000_000))
    #expect(!am_stack_sample(am_thread_id(Int32.max), &sample, 1_000_000))
    #expect(sample.frame_count == 0)
  }

  @Test func `a thread sampled a thousand times goes on`() throws {
    let rounds = AtomicWord()
    let thread = Sampled { ready in
      ready()
      while !Thread.current.isCancelled { rounds.store(rounds.value &+ 1) }
    }
    defer { thread.end() }
    var sample = am_stack_sample()
    var taken = 0
    // Each has to wait for the thread's turn.
    let deadline = Date() + 120
    while taken < 1000, Date() < deadline {
      if am_stack_sample(thread.id, &sample, 100_000_000), !sample.is_silent { taken += 1 }
    }
    #expect(taken == 1000)
    let before = rounds.value
    while rounds.value == before, Date() < deadline { usleep(1000) }
    #expect(rounds.value > before)
  }
}

/// A thread that is there as long as this object is.
private final class Sampled: @unchecked Sendable {
  // Unchecked: the id is written before the semaphore is signalled, and read after.
  private(set) var id: am_thread_id = 0
  private var thread: Thread?

  init(_ body: @escaping @Sendable (_ ready: () -> Void) -> Void) {
    let started = DispatchSemaphore(value: 0)
    let thread = Thread { [self] in
      body {
        id = am_thread_current()
        started.signal()
      }
    }
    self.thread = thread
    thread.start()
    started.wait()
  }

  func end() { thread?.cancel() }

  func expectSample() throws {
    defer { end() }
    try withSample(of: id) { sample in
      let sp = withUnsafeBytes(of: sample.registers.values) {
        $0.load(fromByteOffset: Int(AM_REGISTER_SP) * 8, as: UInt64.self)
      }
      #expect(sample.registers.known >> UInt64(AM_REGISTER_PC) & 1 == 1)
      #expect(sample.stack_start <= sp && sp < sample.stack_start + UInt64(sample.stack_length))
    }
  }
}

private func withSample(of thread: am_thread_id, _ check: (am_stack_sample) throws -> Void) throws {
  var sample = am_stack_sample()
  var window = [UInt8](repeating: 0, count: 32 * 1024)
  try window.withUnsafeMutableBufferPointer { window in
    sample.stack = window.baseAddress
    sample.stack_capacity = window.count
    let deadline = Date() + 90
    while !am_stack_sample(thread, &sample, 1_000_000_000) { try #require(Date() < deadline) }
    try check(sample)
  }
}
