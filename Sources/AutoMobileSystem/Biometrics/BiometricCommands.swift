import AutoMobileRecorder

/// `biometrics.override` and `biometrics.clear`: a test of the user interface runs in another process than the app, and has a
/// collector say how the next authentication ends. In debug builds.
package struct BiometricCommands: Sendable {
  let biometrics: AutoMobileBiometrics

  package func register(in channel: ControlChannel) {
    channel.register("biometrics.override", changesSomething: true) { try override($0.arguments) }
    channel.register("biometrics.clear", changesSomething: true) { _ in
      biometrics.clearOverride()
      return ["cleared": true]
    }
  }

  private func override(_ arguments: ControlValue) throws -> MetadataValue {
    let name = try arguments.member("result").string(maximumLength: 32)
    let result: BiometricResult
    switch name {
    case "success": result = .success
    case "failure": result = .failure
    case "cancel": result = .cancel
    case "error":
      result = .error(
        code: Int(clamping: try arguments.member("code").integer(in: -10_000...10_000, default: -1)),
        message: try arguments.member("message").string() ?? "")
    default: throw ControlError("arguments.result: expected success, failure, cancel or error")
    }
    let lifetime = try arguments.member("ttlMs").number(in: 1...3_600_000, default: 5000)
    guard biometrics.isAllowed else { throw ControlError("the app does not let biometrics be overridden (isAllowed)") }
    biometrics.overrideResult(result, ttlMs: lifetime)
    return ["ttlMs": .double(lifetime)]
  }
}
