import AutoMobileSDK
import Foundation

/// Brings the shop's stock up to date, on four threads that have a lot to say about it, and never end.
enum Stock {
  static let tag = "stock"

  static func synchronise(_ witness: Witness?) {
    for worker in 1...4 {
      Thread.detachNewThread {
        var article = worker * 100_000
        while true {
          for _ in 0..<20 {
            article += 1
            AutoMobileLog.shared.d(tag, "worker \(worker): article \(article) is up to date")
            witness?.returned(worker)
          }
          usleep(4000)
        }
      }
    }
  }
}
