import AutoMobileJournal
import Foundation

/// What a subsystem finds when it is started: the parts of the runtime that it may use.
package struct SubsystemHost: Sendable {
  package let bundleId: String?
  let configuration: AutoMobileConfiguration
  /// Takes what the subsystem records.
  package let buffer: SdkEventBuffer
  package let context: SdkContext
  let breadcrumbs: JournalBreadcrumbs
  package let journal: Journal
  /// What a collector tells: a subsystem that listens observes its section, or registers commands. Nil: nobody does.
  package let control: ControlChannel?
  /// The journal's directory, where a subsystem may keep files of its own.
  package let directory: URL
  /// Tells what earlier launches left, before it is delivered.
  package let earlierLaunches: EarlierLaunches
  /// For reports: the screen that the app is on.
  package let currentScreen: CurrentScreen
  /// Knows how earlier launches ended, once it has looked; nil: nobody does.
  package let postMortem: (any PostMortem)?
  /// For what a subsystem does once in the background when it is started.
  package let startWork: StartWork
  /// When everything was last erased, in milliseconds since 1970; 0: never.
  package let erasedAt: @Sendable () -> Int64
}
