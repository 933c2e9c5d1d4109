extension SdkEnvironment.Subsystem {
  package static func log(_ log: AutoMobileLog) -> Self {
    Self(
      name: .log,
      rest: { _ in log.setBuffer(nil) },
      setEnabled: { log.setBuffer($0 ? $1.buffer : nil) },
      isEnabled: { log.isRecording },
      reset: { log.reset() })
  }
}
