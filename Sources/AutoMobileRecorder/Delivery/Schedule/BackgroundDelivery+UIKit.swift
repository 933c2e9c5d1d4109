#if canImport(UIKit) && !os(watchOS)
import Foundation
import UIKit

extension BackgroundDelivery {
  /// In a background task of the application's. Not in an extension, which has none.
  init(_ delivery: DeliveryWorker, isWanted: @escaping @Sendable () -> Bool) {
    self.init(
      isWanted: isWanted, begin: Self.beginTask, afterwards: { body in DispatchQueue.main.async(execute: body) },
      deliver: { [weak delivery] completion in
        guard let delivery else { return completion() }
        delivery.deliverNow(completion: completion)
      })
  }

  /// On the main thread, as the notification that the app leaves.
  package static let beginTask: Begin = { onExpiration in
    var end: (@Sendable () -> Void)?
    MainThread.run {
      guard let application = SharedApplication.current else { return }
      let task = application.beginBackgroundTask(withName: "AutoMobile delivery", expirationHandler: onExpiration)
      if task != .invalid { end = { endTask(task) } }
    }
    return end
  }

  private static func endTask(_ task: UIBackgroundTaskIdentifier) {
    // When the time runs out, the system waits for that on the main thread, and for no longer than the handler takes.
    var isEnded = false
    MainThread.run {
      SharedApplication.current?.endBackgroundTask(task)
      isEnded = true
    }
    if !isEnded { DispatchQueue.main.async { SharedApplication.current?.endBackgroundTask(task) } }
  }
}
#endif
