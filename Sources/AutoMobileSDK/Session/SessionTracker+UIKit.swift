#if canImport(UIKit) && !os(watchOS)
import Foundation
import UIKit

/// Tells a ``SessionTracking`` about the app's way to the foreground and back, by the process-wide notifications of
/// `UIApplication`. Scenes are not told apart.
final class ApplicationStateObserver: Sendable {
  private let tokens: Locked<[any NSObjectProtocol]>
  private let center: NotificationCenter

  init(tracker: any SessionTracking, center: NotificationCenter = .default) {
    self.center = center
    let foreground = center.addObserver(
      forName: UIApplication.didBecomeActiveNotification, object: nil, queue: nil
    ) { [weak tracker] _ in tracker?.onForeground() }
    let background = center.addObserver(
      forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
    ) { [weak tracker] _ in tracker?.onBackground() }
    tokens = Locked([foreground, background])
  }

  func stop() {
    let tokens = tokens.withLock { tokens in
      defer { tokens = [] }
      return tokens
    }
    tokens.forEach(center.removeObserver)
  }

  deinit { stop() }
}
#endif
