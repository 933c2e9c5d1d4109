import Foundation

/// Polls until something is so.
func eventually(within seconds: TimeInterval = 90, _ condition: () -> Bool) -> Bool {
  let deadline = Date() + seconds
  while !condition() {
    guard Date() < deadline else { return false }
    usleep(2000)
  }
  return true
}
