import AutoMobileSupport

/// Closures that see every event and every breadcrumb before it is recorded, and may change or drop it.
final class EventProcessors: Sendable {
  /// Nil drops the event.
  typealias Processor = @Sendable (any SdkEvent) -> (any SdkEvent)?
  /// Nil drops the breadcrumb.
  typealias BreadcrumbProcessor = @Sendable (Breadcrumb) -> Breadcrumb?

  private struct Lists {
    var events: [Processor] = []
    var breadcrumbs: [BreadcrumbProcessor] = []
  }
  private let lists = Locked(Lists())

  func add(_ processor: @escaping Processor) { lists.withLock { $0.events.append(processor) } }
  func add(_ processor: @escaping BreadcrumbProcessor) { lists.withLock { $0.breadcrumbs.append(processor) } }

  /// Nobody looks at events.
  var isEmpty: Bool { lists.withLock { $0.events.isEmpty } }
  var seesBreadcrumbs: Bool { lists.withLock { !$0.breadcrumbs.isEmpty } }

  func removeAll() {
    // What the closures hold is released outside the lock.
    _ = lists.withLock { lists in
      defer { lists = Lists() }
      return lists
    }
  }

  /// The event as all of them leave it, in the order in which they were added; nil when one dropped it.
  func process(_ event: any SdkEvent) -> (any SdkEvent)? {
    var event = event
    for processor in lists.withLock({ $0.events }) {
      // One that throws may be there to take out what nobody may see: then the event is dropped.
      guard let next = ErrorBarrier.run(.eventProcessor, or: nil, { processor(event) }) else { return nil }
      event = next
    }
    return event
  }

  /// The breadcrumb as all of them leave it; nil when one dropped it, or threw.
  func process(_ breadcrumb: Breadcrumb) -> Breadcrumb? {
    var breadcrumb = breadcrumb
    for processor in lists.withLock({ $0.breadcrumbs }) {
      guard let next = ErrorBarrier.run(.breadcrumbProcessor, or: nil, { processor(breadcrumb) }) else { return nil }
      breadcrumb = next
    }
    return breadcrumb
  }

  /// What is to stand in the trail for an event that is a breadcrumb as it stands.
  enum Trail {
    case event
    /// In its place.
    case breadcrumb(Breadcrumb)
    case nothing
  }

  func trail(of event: any SdkEvent) -> Trail {
    // What cannot be shown to them has not been looked at.
    guard let breadcrumb = Breadcrumb(event), let processed = process(breadcrumb) else { return .nothing }
    return processed == breadcrumb ? .event : .breadcrumb(processed)
  }
}
