import AutoMobileSDK
import CCores
import Foundation

/// Whether threads that record at the same time get in each other's way.
func benchmarkThreads(_ report: Report) {
  withScratchDirectory { directory in
    let sdk = AutoMobileSDK.shared
    // Without notifications: encoding batches for them is work of a third thread, and this may run on two cores.
    sdk.initialize(
      bundleId: "com.example.bench",
      configuration: AutoMobileConfiguration(storage: .directory(directory), postsBatchNotifications: false))
    report.heading("Recording from two threads at once, in bursts of 4000 events each")
    let one = throughput(threads: 1, record)
    let two = throughput(threads: 2, record)
    report.value("one thread, million events a second", one / 1e6)
    report.value("two threads, million events a second", two / 1e6)
    report.value("… two threads over one", two / one, atLeast: 1.5)
  }
}

/// Records the same event again and again: one of the calling thread's own, for what two threads share should be the
/// recorder, not a dictionary's reference count.
@inline(never)
private func record(times: Int, thread: Int) {
  let sdk = AutoMobileSDK.shared
  let event = SdkNavigationEvent(
    destination: "ProductDetails", source: .swiftUINavigation,
    arguments: ["productId": "471\(thread)", "campaign": "autumn-sale"])
  for _ in 0..<times { sdk.record(event) }
}

/// Operations a second of several threads that do the same at once: the median of bursts that fit the spare segments.
private func throughput(threads: Int, _ body: @escaping @Sendable (_ times: Int, _ thread: Int) -> Void) -> Double {
  let operations = 4000
  let bursts = (0..<60).map { _ in
    Thread.sleep(forTimeInterval: 0.05)
    let ready = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)
    let times = Times(count: threads)
    for thread in 0..<threads {
      Thread.detachNewThread {
        // A burst is over before a scheduler that has put both threads on one core thinks better of it.
        run_on_core(Int32(thread))
        ready.signal()
        gate.wait()
        let start = DispatchTime.now().uptimeNanoseconds
        body(operations, thread)
        times.set(thread, start, DispatchTime.now().uptimeNanoseconds)
        done.signal()
      }
    }
    for _ in 0..<threads { ready.wait() }
    for _ in 0..<threads { gate.signal() }
    for _ in 0..<threads { done.wait() }
    return Double(threads * operations) / times.seconds
  }
  return bursts.sorted()[bursts.count / 2]
}

/// When each thread began and ended.
private final class Times: @unchecked Sendable {
  // Unchecked, because each thread writes elements of its own, and they are read after all have said that they are done.
  private let starts: UnsafeMutableBufferPointer<UInt64>
  private let ends: UnsafeMutableBufferPointer<UInt64>

  init(count: Int) {
    starts = .allocate(capacity: count)
    ends = .allocate(capacity: count)
  }

  deinit {
    starts.deallocate()
    ends.deallocate()
  }

  func set(_ thread: Int, _ start: UInt64, _ end: UInt64) {
    starts[thread] = start
    ends[thread] = end
  }

  /// From the first beginning to the last end.
  var seconds: Double { Double((ends.max() ?? 0) - (starts.min() ?? 0)) / 1e9 }
}
