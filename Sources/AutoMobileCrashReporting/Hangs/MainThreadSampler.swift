import CAutoMobile

/// Takes the main thread's stack: a copy while the thread is stopped, and everything else afterwards.
final class MainThreadSampler: MainThreadSampling, @unchecked Sendable {
  // Unchecked: everything that changes belongs to the watchdog's thread, the only one that samples.
  private let probe: MainQueueProbe
  private let taken: UnsafeMutablePointer<am_stack_sample>
  private let stack: UnsafeMutablePointer<UInt8>
  private var unwinder: StackUnwinder?
  /// The frames of this hang that have been looked up.
  private var named: [UInt64: StackFrame] = [:]

  /// How much of a stack is copied, in bytes.
  private static let stackSize = 256 * 1024
  /// How long to wait for the thread to be stopped, in nanoseconds.
  private static let timeout: UInt64 = 50_000_000
  /// Deeper stacks say no more; an endless recursion is a crash soon.
  private static let frameLimit = 200
  /// In bytes.
  private static let longestName = 512

  init(_ probe: MainQueueProbe) {
    self.probe = probe
    // Now, because later there may be no memory to be had.
    taken = .allocate(capacity: 1)
    taken.initialize(to: am_stack_sample())
    stack = .allocate(capacity: Self.stackSize)
  }

  deinit {
    taken.deallocate()
    stack.deallocate()
  }

  func sample(isFirst: Bool) -> MainThreadSample? {
    guard let thread = probe.thread else { return nil }
    taken.pointee.stack = stack
    taken.pointee.stack_capacity = Self.stackSize
    guard am_stack_sample(thread, taken, Self.timeout), !taken.pointee.is_silent else { return nil }

    // The thread goes on. From here on we may wait for whatever it holds.
    if isFirst { named = [:] }
    let unwinder = isFirst ? StackUnwinder(images: ImageTable.current()) : unwinder
    guard let unwinder else { return nil }
    self.unwinder = unwinder
    var walked = unwinder.unwind(
      registers: RegisterFile(.current, taken.pointee.registers),
      stack: StackWindow(
        address: taken.pointee.stack_start,
        bytes: Array(UnsafeBufferPointer(start: stack, count: min(taken.pointee.stack_length, Self.stackSize)))),
      limit: Self.frameLimit)
    name(&walked.frames, unwinder)
    return MainThreadSample(thread: thread, stack: walked, unwinder: unwinder)
  }

  func finish() {
    unwinder = nil
    named = [:]
  }

  /// Only new addresses are looked up: most frames are the same each time.
  private func name(_ frames: inout [StackFrame], _ unwinder: StackUnwinder) {
    var new = [frames.filter { named[$0.address] == nil }]
    if !new[0].isEmpty { SymbolNames(files: unwinder.files).name(&new) }
    for var frame in new[0] {
      // A name that is cut cannot be demangled, and says less than none.
      if frame.symbol?.utf8.count ?? 0 > Self.longestName { frame.symbol = nil }
      named[frame.address] = frame
    }
    for index in frames.indices {
      guard let known = named[frames[index].address] else { continue }
      frames[index].symbol = known.symbol
      frames[index].symbolOffset = known.symbolOffset
    }
  }
}

extension RegisterFile {
  /// Registers as they were taken from a thread.
  init(_ architecture: Architecture, _ registers: am_registers) {
    self.init(architecture)
    withUnsafeBytes(of: registers.values) { values in
      for number in 0..<architecture.registerCount where registers.known >> UInt64(clamping: number) & 1 == 1 {
        self[number] = values.load(fromByteOffset: number * 8, as: UInt64.self)
      }
    }
  }
}
