import AutoMobileJournal
import Foundation

/// What a subsystem finds when it is started: the parts of the runtime that it may use.
struct SubsystemHost: Sendable {
  let bundleId: String?
  let configuration: AutoMobileConfiguration
  /// Takes what the subsystem records.
  let buffer: SdkEventBuffer
  let context: SdkContext
  let breadcrumbs: JournalBreadcrumbs
  let journal: Journal
  /// What a collector tells: a subsystem that listens observes its section, or registers commands. Nil: nobody does.
  let control: ControlChannel?
  /// The journal's directory, where a subsystem may keep files of its own.
  let directory: URL
  /// Tells what earlier launches left, before it is delivered.
  let earlierLaunches: EarlierLaunches
  /// For reports: the screen that the app is on.
  let currentScreen: CurrentScreen
  /// Knows whether earlier launches crashed, once it has looked.
  let previousCrashes: PreviousCrashes
  /// For what a subsystem does once in the background when it is started.
  let startWork: StartWork
  /// When everything was last erased, in milliseconds since 1970; 0: never.
  let erasedAt: @Sendable () -> Int64
}
