import AutoMobileSDK
import Foundation

/// The app's calls into the SDK, each followed by a stroke on the witness's tally.
///
/// Every method makes exactly one event. `counter` names the calling thread: 0 is the main thread.
struct Recording: Sendable {
  let witness: Witness?
  var counter = 0

  func on(counter: Int) -> Recording { Recording(witness: witness, counter: counter) }

  func event(_ event: some SdkEvent) {
    AutoMobileSDK.shared.record(event)
    witness?.returned(counter)
  }

  func screen(_ destination: String, _ arguments: [String: String] = [:]) {
    AutoMobileSDK.shared.notifyNavigationEvent(
      NavigationEvent(destination: destination, source: .swiftUINavigation, arguments: arguments))
    witness?.returned(counter)
  }

  func tap(_ text: String, _ viewType: String = "Button", x: Double, y: Double) {
    event(
      SdkInteractionEvent(
        interactionType: "tap", properties: ["text": text, "viewType": viewType, "x": "\(x)", "y": "\(y)"]))
  }

  func track(_ name: String, _ properties: [String: String] = [:]) {
    AutoMobileSDK.shared.trackEvent(name: name, properties: properties)
    witness?.returned(counter)
  }

  /// After a call into the SDK that the app made itself.
  func counted() { witness?.returned(counter) }

  func log(_ level: LogLevel, _ tag: String, _ message: String) {
    let log = AutoMobileLog.shared
    switch level {
    case .verbose: log.v(tag, message)
    case .debug: log.d(tag, message)
    case .info: log.i(tag, message)
    case .warning: log.w(tag, message)
    case .error: log.e(tag, message)
    case .fault: log.fault(tag, message)
    }
    witness?.returned(counter)
  }
}
