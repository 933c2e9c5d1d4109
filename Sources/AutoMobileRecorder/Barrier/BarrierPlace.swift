/// Where the SDK calls code that is not its own, or is called by a system framework: the names in
/// ``AutoMobileDiagnostics/internalFailures``.
///
/// A test compares this list with the public declarations that take closures or objects of the app, and with the
/// adapters: whoever adds one of those adds a case here.
package enum BarrierPlace: String, CaseIterable, Sendable {
  // Code of the app.

  case navigationListener
  case eventProcessor
  case breadcrumbProcessor
  case batchObserver
  /// Whoever observes `SdkEventBroadcaster.eventBatchNotification`.
  case batchNotification
  /// The `encode(to:)` of an event type of the app's own.
  case eventEncoding
  case currentScreenProvider
  case flush
  case eventPersistence
  case dropCounter
  case timer
  case sessionIdProvider
  case previousLaunchEnd
  case webSocketHandler
  /// Whoever observes the other notifications that the SDK posts.
  case postedNotification
  /// The handler that waits for an authentication whose result was overridden.
  case authenticationReply
  case databaseDriver
  case userDefaultsDriver
  case userDefaultsListener
  /// Whoever waits for a replay to start or to stop.
  case replayCompletion
  /// Whoever waits for a decision about consent, or an erasure, to be carried out.
  case consentCompletion

  // Entries from system frameworks.

  case applicationState
  case viewAppearance
  /// Touches, the keyboard, what is typed.
  case interaction
  /// The display shows a frame.
  case displayFrame
  /// `UserDefaults` has changed.
  case userDefaultsChange
  case urlSessionDelegate
  /// Foundation begins and ends a load.
  case urlProtocol
  case metricKit
  /// Battery, Low Power Mode and screen.
  case deviceState
  case connectivity
  /// What `AutoMobileNotificationObserver` listens to.
  case systemNotification
  /// The delegate of the centre of notifications, and what the centre answers.
  case userNotifications
}

extension BarrierPlace {
  /// What runs there is the SDK's own: an entry in which no code of the app's is called but through another barrier.
  ///
  /// The delegates of sessions and of the centre of notifications hand on what they are told: there a fault is the app's, as in
  /// whatever the SDK calls.
  var isOwnWork: Bool {
    switch self {
    case .applicationState, .viewAppearance, .interaction, .displayFrame, .userDefaultsChange, .metricKit, .deviceState,
      .connectivity, .systemNotification:
      true
    case .navigationListener, .eventProcessor, .breadcrumbProcessor, .batchObserver, .batchNotification, .eventEncoding,
      .currentScreenProvider, .flush, .eventPersistence, .dropCounter, .timer, .sessionIdProvider, .previousLaunchEnd,
      .webSocketHandler, .postedNotification, .authenticationReply, .databaseDriver, .userDefaultsDriver,
      .userDefaultsListener, .replayCompletion, .consentCompletion, .urlSessionDelegate, .urlProtocol,
      .userNotifications:
      false
    }
  }
}
