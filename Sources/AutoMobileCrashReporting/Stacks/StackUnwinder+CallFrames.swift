extension StackUnwinder {
  /// The caller, as the call-frame information of the image says.
  func callerByCallFrames(of step: Step, _ stack: StackWindow) -> Outcome {
    guard let instruction = step.instruction, let image = images.index(of: instruction),
      let file = files.entry(image),
      let information = file.callFrames?.information(at: instruction &- file.bias)
    else { return .lost }
    let registers = step.registers
    let architecture = registers.architecture
    let expression = DWARFExpression(bytes: information.bytes, registers: registers, stack: stack)
    guard let frameAddress = frameAddress(information.row, registers, expression) else { return .lost }

    var next = registers
    next.stackPointer = frameAddress
    for register in 0..<architecture.registerCount {
      switch information.row[register] {
      case .unspecified, .same: continue
      case .undefined:
        if register == information.returnAddress { return .end }
        next[register] = nil
      case .offset(let offset): next[register] = stack.word(at: frameAddress &+ UInt64(bitPattern: offset))
      case .valueOffset(let offset): next[register] = frameAddress &+ UInt64(bitPattern: offset)
      case .register(let other): next[register] = registers[other]
      case .expression(let range):
        next[register] = expression.value(of: range, initial: frameAddress).flatMap { stack.word(at: $0) }
      case .valueExpression(let range): next[register] = expression.value(of: range, initial: frameAddress)
      }
    }
    guard let address = next[information.returnAddress].map(architecture.stripped) else {
      // Of what is left on the window, nothing can be the caller.
      if case .offset(let offset) = information.row[information.returnAddress],
        stack.ends(below: frameAddress &+ UInt64(bitPattern: offset))
      {
        return .cut
      }
      return .lost
    }
    // Above a thread's first function there is nothing: the return address was cleared.
    if address == 0 { return .end }
    if architecture.linkRegister != nil, next.stackPointer == registers.stackPointer,
      address == registers.programCounter
    {
      return .lost
    }
    next.programCounter = address
    return .found(Step(registers: next, trust: information.isSignalFrame ? .context : .cfi))
  }

  private func frameAddress(
    _ row: CallFrameRow, _ registers: RegisterFile, _ expression: DWARFExpression
  ) -> UInt64? {
    switch row.address {
    case .unknown: nil
    case .register(let register, let offset): registers[register].map { $0 &+ UInt64(bitPattern: offset) }
    case .expression(let range): expression.value(of: range)
    }
  }
}
