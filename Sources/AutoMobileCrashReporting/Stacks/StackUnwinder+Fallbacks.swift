extension StackUnwinder {
  /// Where a thread that jumped to an address without code came from: the call left its return address where calls do.
  func callerOfJumpIntoNothing(_ step: Step, _ stack: StackWindow) -> Step? {
    guard let instruction = step.instruction, !isCode(instruction) else { return nil }
    var next = step
    next.trust = .framePointer
    let architecture = step.registers.architecture
    if let link = architecture.linkRegister {
      guard let address = step.registers[link].map(architecture.stripped), isReturnAddress(address) else { return nil }
      next.registers.programCounter = address
    } else {
      guard let pointer = step.registers.stackPointer, let address = stack.word(at: pointer),
        isReturnAddress(address)
      else { return nil }
      next.registers.programCounter = address
      next.registers.stackPointer = pointer &+ 8
    }
    return next
  }

  /// The caller, by the frame pointer: it points to the caller's own, beside which the return address lies.
  func callerByFramePointer(of step: Step, _ stack: StackWindow) -> Outcome {
    let registers = step.registers
    let architecture = registers.architecture
    guard let frame = registers.framePointer, frame & 7 == 0, frame >= registers.stackPointer ?? 0,
      let saved = stack.word(at: frame),
      let address = stack.word(at: frame &+ 8).map(architecture.stripped)
    else { return .lost }
    if saved == 0, address == 0 { return .end }
    guard isCode(address &- 1) || step.trust == .context && images.images.isEmpty else { return .lost }
    var next = registers
    next.framePointer = saved
    next.stackPointer = frame &+ 16
    next.programCounter = address
    return .found(Step(registers: next, trust: .framePointer))
  }

  /// How many words of the stack are looked at for the next return address.
  private static let scannedWords: UInt64 = 1024

  /// The nearest word on the stack that is the address behind a call.
  func callerByScan(of step: Step, _ stack: StackWindow) -> Step? {
    guard let pointer = step.registers.stackPointer else { return nil }
    var place = (pointer &+ 7) & ~7
    for _ in 0..<Self.scannedWords {
      guard let word = stack.word(at: place) else { return nil }
      let address = step.registers.architecture.stripped(word)
      if isReturnAddress(address) {
        var next = step
        next.registers.programCounter = address
        next.registers.stackPointer = place &+ 8
        next.trust = .scan
        return next
      }
      place &+= 8
    }
    return nil
  }

  /// Whether an address lies in code, as far as that is known.
  private func isCode(_ address: UInt64) -> Bool {
    guard let image = images.index(of: address) else { return false }
    guard let file = files.entry(image) else { return true }
    return file.elf.isExecutable(address &- file.bias)
  }

  /// Whether the instruction before an address is a call.
  func isReturnAddress(_ address: UInt64) -> Bool {
    guard address > 8, let image = images.index(of: address &- 1) else { return false }
    guard let file = files.entry(image) else { return Architecture.current == .arm64 && address & 3 == 0 }
    let place = address &- file.bias
    guard file.elf.isExecutable(place &- 1), let code = file.elf.bytes(at: place &- 8, count: 8) else { return false }
    switch file.elf.architecture {
    case .arm64:
      guard address & 3 == 0 else { return false }
      let instruction = UInt32(code[4]) | UInt32(code[5]) << 8 | UInt32(code[6]) << 16 | UInt32(code[7]) << 24
      return instruction >> 26 == 0b100101
        || instruction & 0xFE1F_F000 == 0xD61F_0000 & 0xFE1F_F000
          && instruction >> 21 & 0b11 == 0b01
    case .x86_64:
      // call rel32, or call through a register or memory, in all lengths of its operand.
      if code[3] == 0xE8 { return true }
      return (2...7).contains { length in
        code[8 - length] == 0xFF && code[9 - length] >> 3 & 7 == 2
      }
    }
  }
}
