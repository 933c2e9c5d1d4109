import AutoMobileJournal
import Dispatch

/// What is left of the SDK in a launch in which it stays off because of its own fault: it records and sends nothing, but the user may
/// say no all the same, want to be forgotten, or log out.
final class SdkThatStaysOff: Sendable {
  private let place: RecordingPlace
  private let environment: SdkEnvironment
  private let keeper: ConsentKeeper
  private let erasers: Erasers
  /// One decision after the other. Not one of ``BackgroundQueue``: nothing of the SDK's own start is to be in its way.
  private let queue = DispatchQueue(label: "dev.jasonpearson.automobile.sdk.off", qos: .utility)

  init(_ place: RecordingPlace, _ environment: SdkEnvironment, consent: ConsentKeeper, erasers: Erasers) {
    self.place = place
    self.environment = environment
    self.keeper = consent
    self.erasers = erasers
    // As it was said in an earlier launch, which could not do it any more.
    if consent.isErasureLeft { queue.async { [self] in eraseNow(isDenial: false) {} } }
  }

  var consent: Consent { keeper.current }

  /// What holds is not written down for the launches to come yet.
  var isUnkept: Bool { keeper.isUnkept }

  /// Kept for the launches to come; a denial is carried out at once. Returns at once.
  func setConsent(_ consent: Consent, completion: @escaping @Sendable () -> Void) {
    keeper.say(consent)
    queue.async { [self] in
      guard consent == .denied else {
        keeper.keep()
        return completion()
      }
      erase(isDenial: true, completion)
    }
  }

  func eraseAll(completion: @escaping @Sendable () -> Void) {
    queue.async { [self] in erase(isDenial: false, completion) }
  }

  /// Calls back when what has been said before is done.
  func afterDecisions(_ completion: @escaping @Sendable () -> Void) { queue.async(execute: completion) }

  /// The app says who its user is, which nobody keeps in such a launch: who was it before does not come back in the next one.
  func setUserId(_ userId: String?) {
    guard let store = environment.makeStore?() else { return }
    if store.string(Identity.userIdKey) != userId { store.set(Identity.userIdKey, nil) }
  }

  /// As after a logout.
  func resetIdentity() { environment.makeStore.map { Identity(store: $0()).erase() } }

  private func erase(isDenial: Bool, _ completion: @escaping @Sendable () -> Void) {
    keeper.keep(erasedAt: Clocks.millisecondsSince1970())
    eraseNow(isDenial: isDenial, completion)
  }

  private func eraseNow(isDenial: Bool, _ completion: @escaping @Sendable () -> Void) {
    let erasedAt = keeper.erasedAt
    resetIdentity()
    let gathering = Gathering()
    erasers.erase(gathering)
    gathering.whenAll { [self] in
      queue.async { [self] in
        RecordedFiles(place, environment, everybodys: place.isAppsOwn).erase(isForGood: isDenial)
        Journal.eraseLeft(in: place.directory, by: place.isAppsOwn ? nil : place.owner)
        environment.forgetCredentials?()
        keeper.endErasure(of: erasedAt)
        erasers.tellOver()
        completion()
      }
    }
  }
}
