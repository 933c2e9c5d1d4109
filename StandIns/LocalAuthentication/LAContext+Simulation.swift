extension LAContext {
  /// The device: why it cannot authenticate anybody, or nil when it can.
  public static func simulateDevice(obstacle: LAError.Code?) { change { $0.obstacle = obstacle } }

  /// The person: nil for the one who is known to the device.
  public static func simulatePerson(failure: LAError.Code?) { change { $0.answer = failure } }

  /// How often somebody was asked to show who they are.
  public static var simulatedEvaluations: Int { change { $0.evaluations } }

  private static func change<Result>(_ body: (inout Simulated) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(&simulated)
  }
}
