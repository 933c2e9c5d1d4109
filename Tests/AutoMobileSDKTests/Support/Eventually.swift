import Dispatch
import Foundation

/// Looks until `condition` holds, or the time is over; true when it held.
///
/// A deadline, not a delay: it returns as soon as it can, and is long because a busy machine is no failure.
func eventually(within seconds: TimeInterval = 60, _ condition: () -> Bool) async -> Bool {
  let deadline = DispatchTime.now() + seconds
  while !condition() {
    guard DispatchTime.now() < deadline else { return false }
    try? await Task.sleep(nanoseconds: 2_000_000)
  }
  return true
}
