/// What the network log is doing, and why not when it is not.
public enum NetworkLoggerStatus: Sendable, Equatable {
  public enum Reason: Sendable, Equatable {
    /// ``NetworkLoggerConfiguration/isProduction`` says so, which is the default.
    case production
    /// ``NetworkLoggerConfiguration/isAutomation`` says so.
    case automation
    /// There is no directory to share: no app group, or this program is no member of it.
    case noDirectory
    /// The companion has not switched it on, or the time is over.
    case switchedOff
    /// The switch's file is there and not understood; what is wrong with it.
    case damagedSwitch(String)
    /// Not even memory could be had; what went wrong.
    case failed(String)
  }

  /// ``AutoMobileNetworkLogger/start(_:)`` has not been called, or ``AutoMobileNetworkLogger/stop()`` since.
  case notStarted
  case off(Reason)
  /// - Parameters:
  ///   - recorded: exchanges and frames that are in the log.
  ///   - lost: those that are not, for want of room or time.
  ///   - failure: why nothing goes to disk at the moment; nil while it does.
  case recording(recorded: Int, lost: Int, failure: String?)
}
