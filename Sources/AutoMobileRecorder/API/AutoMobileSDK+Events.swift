import Foundation

extension AutoMobileSDK {
  /// Records an event: the path that every probe takes. Durable when it returns, also if the process is killed then.
  /// Before initialization it is kept in memory, as ``AutoMobileSDK`` says.
  ///
  /// Takes well under a microsecond; the SDK's own event types allocate nothing.
  @inline(__always)
  public func record<E: SdkEvent>(_ event: E) {
    withRecorder {
      $0.record(event)
    } before: {
      keepEarly(event)
    }
  }

  /// Records an ``SdkCustomEvent``.
  public func trackEvent(name: String, properties: [String: String] = [:]) {
    withRecorder {
      $0.record(SdkCustomEvent(name: name, properties: properties))
    } before: {
      keepEarly(SdkCustomEvent(name: name, properties: properties))
    }
  }

  /// Records an ``SdkCustomEvent`` whose properties are any JSON: `["items": 3, "gift": nil, "tags": ["a", "b"]]`.
  @_disfavoredOverload
  public func trackEvent(name: String, properties: [String: MetadataValue]) {
    withRecorder {
      $0.record(SdkCustomEvent(name: name, properties: properties))
    } before: {
      keepEarly(SdkCustomEvent(name: name, properties: properties))
    }
  }

  /// Has what was recorded delivered now, without waiting for ``DeliveryPolicy/intervalMs``. Returns at once.
  public func flush() {
    withRecorder { $0.flush() }
    runtime?.delivery?.deliverNow()
  }

  /// Has every event go through a closure, which may change it, or drop it by returning nil; then it is counted as
  /// ``DropReason/filtered``. Called on the thread that records, in the order of adding. Added before initialization,
  /// it sees the very first event. Breadcrumbs have processors of their own: ``addBreadcrumbProcessor(_:)``.
  public func addEventProcessor(_ processor: @escaping @Sendable (any SdkEvent) -> (any SdkEvent)?) {
    processors.add(processor)
    withRecorder { $0.noteProcessors() }
  }

  /// Calls `observer` with the events of every flush, until the observation is cancelled or released.
  ///
  /// Called on a queue of the SDK's, in the order of recording. Events are decoded only while somebody observes.
  public func observeBatches(_ observer: @escaping @Sendable ([any SdkEvent]) -> Void) -> BatchObservation {
    observers.add(observer)
  }

  /// How the SDK is doing. Reads counters in memory; any thread.
  public var diagnostics: AutoMobileDiagnostics {
    let (runtime, lastError, offReason) = state.withLock { ($0.runtime, $0.lastError, $0.offReason) }
    var diagnostics = runtime?.diagnostics ?? AutoMobileDiagnostics()
    if runtime == nil {
      let early = earlyCalls.counts
      diagnostics.recorded = early.all
      let lost = [
        DropReason.notInitialized.rawValue: early.notInitialized, DropReason.disabled.rawValue: early.disabled,
      ]
      diagnostics.dropped = lost.filter { $0.value > 0 }
    }
    diagnostics.lastError = diagnostics.lastError ?? lastError
    diagnostics.offReason = offReason ?? diagnostics.offReason
    return diagnostics
  }
}
