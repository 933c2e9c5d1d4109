import AutoMobileRecorder
import CAutoMobile

/// The stacks of a crash lane's threads, walked.
struct CrashStacks {
  struct Walked {
    var id: UInt64
    var name: String?
    var isCrashed = false
    var isMain = false
    var registers: [String: CodeAddress]?
    var stack: UnwoundStack
  }

  let lane: CrashLane
  let unwinder: StackUnwinder
  let care: CrashReportBuilder.Care

  /// The thread that crashed first.
  func walk(_ limits: CrashReportBuilder.Limits) -> [Walked] {
    let start = Clocks.continuousMilliseconds()
    var walked: [Walked] = []
    if let thrown = thrown(limits) { walked.append(thrown) }
    for thread in lane.threads.prefix(limits.threads) {
      let isCrashed = thread.has(Int(AM_THREAD_CRASHED)) && walked.allSatisfy { !$0.isCrashed }
      let late = Clocks.continuousMilliseconds() &- start > CrashReportBuilder.maximumTime
      walked.append(
        Walked(
          id: thread.id, name: thread.name.isEmpty ? nil : thread.name, isCrashed: isCrashed,
          isMain: thread.has(Int(AM_THREAD_MAIN)), registers: isCrashed || thread.has(4) ? registers(of: thread) : nil,
          stack: stack(
            of: thread, limit: isCrashed ? limits.crashedFrames : limits.otherFrames,
            care: late ? .handlerOnly : care)))
    }
    return walked
  }

  /// Where an exception was thrown: the stack that tells what went wrong, while the thread's own, from the signal that
  /// followed, tells how the process was ended.
  private func thrown(_ limits: CrashReportBuilder.Limits) -> Walked? {
    guard let exception = lane.exception, !exception.addresses.isEmpty else { return nil }
    let thread = lane.threads.first { $0.id == exception.thread }
    let frames = exception.addresses.prefix(limits.crashedFrames).map { frame($0, .framePointer) }
    return Walked(
      id: exception.thread, name: thread.flatMap { $0.name.isEmpty ? nil : $0.name }, isCrashed: true,
      isMain: thread?.has(Int(AM_THREAD_MAIN)) ?? false, registers: nil,
      stack: UnwoundStack(frames: frames, isTruncated: exception.addresses.count > limits.crashedFrames))
  }

  private func stack(of thread: CrashLane.Thread, limit: Int, care: CrashReportBuilder.Care) -> UnwoundStack {
    var walked = UnwoundStack()
    if care == .full, thread.registers.architecture == .current {
      walked = unwinder.unwind(registers: thread.registers, stack: thread.stack, limit: limit)
    }
    guard walked.frames.isEmpty || walked.isTruncated else { return walked }
    return completed(walked, thread, limit)
  }

  /// A walk that did not come to the stack's end, with the frames beyond that the handler found: it could read all of
  /// the stack, and we have a window of it.
  private func completed(_ walked: UnwoundStack, _ thread: CrashLane.Thread, _ limit: Int) -> UnwoundStack {
    var result = walked
    if result.frames.isEmpty {
      guard let address = thread.registers.programCounter else { return result }
      result.frames = [frame(address, .context)]
    }
    var beyond = thread.frames[...]
    // The last frame that both know is where the two meet.
    let known = Dictionary(thread.frames.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })
    if let (index, place) = result.frames.indices.reversed().lazy
      .compactMap({ index in known[result.frames[index].address].map { (index, $0) } }).first
    {
      result.frames.removeSubrange((index + 1)...)
      beyond = thread.frames[(place + 1)...]
    } else if walked.frames.count > 1, walked.frames.count >= thread.frames.count {
      return result
    } else {
      result.frames.removeSubrange(1...)
    }
    let isCut = result.frames.count + beyond.count > limit
    result.frames += beyond.prefix(max(0, limit - result.frames.count)).map { frame($0, .framePointer) }
    result.isTruncated = isCut || thread.has(Int(AM_THREAD_FRAMES_TRUNCATED))
    return result
  }

  private func frame(_ address: UInt64, _ trust: StackFrame.Trust) -> StackFrame {
    var frame = StackFrame(address: address, trust: trust)
    frame.image = unwinder.images.index(of: frame.instruction)
    return frame
  }

  private func registers(of thread: CrashLane.Thread) -> [String: CodeAddress] {
    var registers: [String: CodeAddress] = [:]
    for (index, name) in lane.architecture.registerNames.enumerated() {
      registers[name] = thread.registers[index].map { CodeAddress($0) }
    }
    registers[lane.architecture == .x86_64 ? "rflags" : "cpsr"] = thread.status.map { CodeAddress($0) }
    return registers
  }
}
