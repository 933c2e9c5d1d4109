import AutoMobileJournal
import Foundation

extension NetworkLog {
  /// What comes and goes, as it does: one element for each look that found something different.
  ///
  /// The first element tells what is there. Looking takes little (the directory and one word a segment). It ends with the
  /// task that waits for it.
  ///
  ///     for await change in log.updates() where !change.isEmpty { await list.reload() }
  ///
  /// - Parameter interval: between two looks, in seconds.
  public func updates(every interval: TimeInterval = 0.5) -> AsyncStream<NetworkLogChange> {
    let pause = UInt64(saturating: min(max(interval.isFinite ? interval : 0.5, 0.01), 3600) * 1e9)
    return AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
      let queue = DispatchQueue(label: "dev.automobile.network-log.updates", qos: .utility)
      let task = Task { [weak self] in
        var seen = NetworkLogChange()
        while !Task.isCancelled {
          // Files are read on a queue: the threads of tasks are few.
          guard let self else { break }
          let now = await withCheckedContinuation { resumption in
            queue.async { resumption.resume(returning: self.refreshedTotals()) }
          }
          if now != seen { continuation.yield(now.since(seen)) }
          seen = now
          try? await Task.sleep(nanoseconds: pause)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
