import AutoMobileJournal
import Foundation

/// Tells, in a later launch, how earlier ones ended, and leaves the traces from which the next one will tell it of this one.
///
/// One for each ``SdkRuntime``, made with it. ``AutoMobileIntegration/makePostMortem`` brings it; without one nobody asks.
package protocol PostMortem: AnyObject, Sendable {
  /// Reports crashes of earlier launches. Reads the disk, and takes its time: on a queue in the background.
  func lookForCrashes()
  /// Begins to leave traces, and has the ends of earlier launches looked at in their turn. Asks nothing of the system on this
  /// thread.
  ///
  /// - Returns: false when nobody will tell what ended the launch before.
  func begin() -> Bool
  /// The SDK does nothing for now, or goes on.
  func setResting(_ isResting: Bool)
  /// The app has shut the SDK down.
  func noteShutdown()
  /// Knows of no crash any more.
  func forget()
}

/// The parts of the runtime that a ``PostMortem`` may use.
package struct PostMortemHost: Sendable {
  package let bundleId: String?
  package let appVersion: String?
  package let osVersion: String?
  /// How many breadcrumbs a report carries.
  package let maxBreadcrumbs: Int
  package let journal: Journal
  /// The journal's directory.
  package let directory: URL
  package let recorder: EventRecorder
  package let earlierLaunches: EarlierLaunches
  /// Where it is told what ended the launch before.
  package let announcement: LaunchEndAnnouncement
  package let makeTimer: @Sendable () -> any TimerScheduling
}
