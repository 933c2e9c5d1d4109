import AutoMobileJournal
import Foundation

/// The trail as the journal has it: breadcrumbs that the app added, and events that are breadcrumbs as they stand.
package struct JournalBreadcrumbs {
  let journal: Journal
  let limit: Int

  package init(journal: Journal, limit: Int) {
    self.journal = journal
    self.limit = limit
  }

  /// The records that make up a trail.
  static var kinds: RecordKinds { RecordKinds(.eventAndBreadcrumb).union(.breadcrumb) }

  /// Oldest first. Reads the disk.
  ///
  /// - Parameter launch: an earlier launch, or nil for this one.
  package func read(of launch: LaunchID? = nil) -> [Breadcrumb] {
    journal.lastRecords(of: Self.kinds, limit: limit, launch: launch).compactMap { record in
      let json = Data(record.payload)
      if record.kind == .breadcrumb { return try? JSONDecoder().decode(Breadcrumb.self, from: json) }
      return (try? SdkEventDecoder.decode(json)).flatMap(Breadcrumb.init)
    }
  }

  /// The launch before this one; nil when nothing is left of it.
  func ofPreviousLaunch() -> [Breadcrumb] {
    guard let previous = journal.earlierLaunches().last else { return [] }
    return read(of: previous)
  }
}

extension Breadcrumb {
  /// What a breadcrumb says of an event; nil for an event that leaves none.
  init?(_ event: any SdkEvent) {
    let category: BreadcrumbCategory
    let message: String
    var metadata: [String: String] = [:]
    switch event {
    case let event as SdkNavigationEvent:
      category = .navigation
      message = event.destination
      metadata = event.arguments
      metadata["source"] = event.source.rawValue
    case let event as SdkInteractionEvent:
      category = .tap
      message = event.properties["accessibilityLabel"] ?? event.properties["text"] ?? event.interactionType
      metadata = event.properties
    case let event as SdkLifecycleEvent:
      category = .lifecycle
      message = event.state
      metadata = event.details
    case let event as SdkBroadcastEvent:
      category = .lifecycle
      message = event.action
      metadata = event.infoKeyTypes ?? [:]
    case let event as SdkNotificationActionEvent:
      category = .tap
      message = event.actionId
      metadata["notificationTitle"] = event.notificationTitle
    case let event as SdkNetworkRequestEvent:
      category = .network
      message = "\(event.method) \(event.url)"
      metadata["statusCode"] = event.statusCode.map(String.init)
      metadata["error"] = event.error
    case let event as SdkLogEvent:
      category = .log
      message = event.message
      metadata["tag"] = event.tag
      metadata["level"] = "\(event.level)"
    default: return nil
    }
    self.init(
      timestamp: Double(event.timestamp) / 1000, category: category, message: message, metadata: metadata)
  }
}
