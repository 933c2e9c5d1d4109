/// What the app's user has allowed.
///
/// | | recorded | sent | kept on the device |
/// |---|---|---|---|
/// | ``granted`` | yes | yes | until it is delivered |
/// | ``pending`` | yes, but for pictures of the screen | nothing | until the user has decided |
/// | ``denied`` | nothing | nothing | nothing: what there was is erased |
///
/// ``AutoMobileSDK/setConsent(_:completion:)`` says it, and it holds in later launches, in every process that records into the
/// same directory.
public enum Consent: String, Sendable, CaseIterable, Codable {
  /// Records and delivers.
  case granted
  /// Nobody has been asked yet: records on the device, and sends nothing, not even a question for a configuration.
  case pending
  /// Records nothing, sends nothing, and has erased what was there.
  case denied
}
