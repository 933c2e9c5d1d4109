import AutoMobileSupport
import Foundation

@testable import AutoMobileRecorder

/// A buffer that keeps what was recorded, for tests.
final class RecordedEvents: Sendable {
  let buffer: SdkEventBuffer
  private let events = Locked<[any SdkEvent]>([])

  init() {
    let events = events
    buffer = SdkEventBuffer(maxBufferSize: 10_000) { new in events.withLock { $0 += new } }
  }

  /// All there are.
  func all<Event: SdkEvent>(_ type: Event.Type = Event.self) -> [Event] {
    buffer.flush()
    return events.withLock { $0.compactMap { $0 as? Event } }
  }
}

/// Lets the main queue do what has been put there.
@MainActor func turn() async {
  await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
}

/// Looks until `condition` holds; false when that took too long.
@MainActor func eventually(_ condition: () throws -> Bool) async rethrows -> Bool {
  let deadline = DispatchTime.now() + 60
  while try !condition() {
    guard DispatchTime.now() < deadline else { return false }
    try? await Task.sleep(nanoseconds: 2_000_000)
  }
  return true
}
