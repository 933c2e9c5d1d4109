/// Walks a thread's stack from a copy of it, and of its registers.
///
/// Each caller is found in the surest way there is: by the compiler's call-frame information, by the chain of frame
/// pointers, or by searching the stack for a return address; each frame says which. Nothing but the copies and the
/// images' files is read. The work is bounded by the number of frames, whatever the bytes say.
///
/// Sendable: it only holds the files of the images, which have a lock. Reads files: not for the main thread.
struct StackUnwinder: Sendable {
  /// More frames than this are those of an endless recursion.
  static let defaultLimit = 512

  let images: ImageTable
  let files: ImageFiles

  init(images: ImageTable) {
    self.images = images
    files = ImageFiles(images)
  }

  /// The calls on a stack, the innermost first.
  ///
  /// - Parameters:
  ///   - registers: the thread's, or, within a call, its caller's.
  ///   - limit: the most frames.
  func unwind(registers: RegisterFile, stack: StackWindow, limit: Int = Self.defaultLimit) -> UnwoundStack {
    var result = UnwoundStack()
    guard let start = registers.programCounter else { return result }
    var step = Step(registers: registers, trust: .context)
    append(start, .context, to: &result)
    // A walk goes up the stack; only a signal handler may have been on another one.
    var stackSwitches = 0
    while true {
      guard result.frames.count < limit else {
        result.isTruncated = true
        return result
      }
      switch caller(of: step, stack, isFirst: result.frames.count == 1) {
      case .end: return result
      case .lost, .cut:
        result.isTruncated = true
        return result
      case .found(let next):
        let before = step.registers.stackPointer ?? 0
        let after = next.registers.stackPointer ?? 0
        if after <= before {
          // A leaf function on arm64 may not have moved the stack pointer.
          let isLeaf = after == before && step.trust == .context && registers.architecture.linkRegister != nil
          if !isLeaf {
            stackSwitches += 1
            guard next.trust == .context, stackSwitches <= 4 else {
              result.isTruncated = true
              return result
            }
          }
        }
        guard let address = next.registers.programCounter, address > 4095 || next.trust == .context else {
          return result
        }
        append(address, next.trust, to: &result)
        step = next
      }
    }
  }

  private func append(_ address: UInt64, _ trust: StackFrame.Trust, to stack: inout UnwoundStack) {
    var frame = StackFrame(address: address, trust: trust)
    frame.image = images.index(of: frame.instruction)
    stack.frames.append(frame)
  }

  /// One place of the walk.
  struct Step {
    var registers: RegisterFile
    var trust: StackFrame.Trust
    /// The address of an instruction of the call.
    var instruction: UInt64? {
      registers.programCounter.map { trust == .context || $0 == 0 ? $0 : $0 &- 1 }
    }
  }

  enum Outcome {
    case found(Step)
    /// The first function of the thread.
    case end
    /// The stack goes on, and we do not know how.
    case lost
    /// It goes on where nothing was copied.
    case cut
  }

  private func caller(of step: Step, _ stack: StackWindow, isFirst: Bool) -> Outcome {
    let byCallFrames = callerByCallFrames(of: step, stack)
    if case .lost = byCallFrames {} else { return byCallFrames }
    if isFirst, let next = callerOfJumpIntoNothing(step, stack) { return .found(next) }
    let byFramePointer = callerByFramePointer(of: step, stack)
    if case .lost = byFramePointer {} else { return byFramePointer }
    return callerByScan(of: step, stack).map(Outcome.found) ?? .lost
  }
}

/// What a walk found.
struct UnwoundStack: Sendable, Equatable {
  var frames: [StackFrame] = []
  /// There are more calls than these.
  var isTruncated = false
}
