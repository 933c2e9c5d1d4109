import AutoMobileSDK
import CCores
import Foundation

/// Whether threads that record at the same time get in each other's way.
func benchmarkThreads(_ report: Report) {
  withScratchDirectory { directory in
    let sdk = AutoMobileSDK.shared
    // Without notifications: encoding batches for them is work of a third thread, and this may run on two cores.
    // And with room for everything, as where events are delivered: evicting is work of that thread, too.
    sdk.initialize(
      bundleId: "com.example.bench",
      configuration: AutoMobileConfiguration(
        storage: .directory(directory), journalBudget: 512 << 20, postsBatchNotifications: false))
    report.heading("Recording from two threads at once, in bursts of 4000 events each")
    // By turns, because what the machine gives to one thread and to two changes from one moment to the next.
    var rates = [[Double]](repeating: [], count: 4)
    let rounds = Measurement.count(60)
    for _ in 0..<rounds {
      for (index, body) in [record, count].enumerated() {
        for threads in 1...2 { rates[2 * index + threads - 1].append(throughput(threads: threads, body)) }
      }
    }
    let diagnostics = sdk.diagnostics
    let events = rounds * 3 * burst
    report.expect("events that were recorded", Int(clamping: diagnostics.recorded), in: events...events + 100)
    report.expect("no room for", Int(clamping: diagnostics.dropped["bufferOverflow"] ?? 0), in: 0...events / 50)
    let medians = rates.map { $0.sorted()[$0.count / 2] }
    report.value("one thread, million events a second", medians[0] / 1e6)
    report.value("two threads, million events a second", medians[1] / 1e6)
    report.value("… two threads over one", medians[1] / medians[0], atLeast: 1.5)
    report.value("two threads that share nothing, over one: what the machine gives", medians[3] / medians[2])
  }
}

/// Events of a thread at a time.
private let burst = 4000

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

/// As long as recording takes, in the processor's registers alone.
@inline(never)
private func count(times: Int, thread: Int) {
  var number = UInt64(clamping: thread)
  for _ in 0..<100 * times { number = number &* 6_364_136_223_846_793_005 &+ 1 }
  if number == 0 { print("never") }
}

/// Operations a second of several threads that do the same at once, in a burst that fits the spare segments.
private func throughput(threads: Int, _ body: @escaping @Sendable (_ times: Int, _ thread: Int) -> Void) -> Double {
  let operations = burst
  Thread.sleep(forTimeInterval: 0.05)
  let done = DispatchSemaphore(value: 0)
  let times = Times(count: threads)
  for thread in 0..<threads {
    Thread.detachNewThread {
      // A burst is over before a scheduler that has put both threads on one core thinks better of it.
      run_on_core(Int32(thread))
      // And it is as short as the time that a thread takes to wake up.
      times.meet()
      let start = DispatchTime.now().uptimeNanoseconds
      body(operations, thread)
      times.set(thread, start, DispatchTime.now().uptimeNanoseconds)
      done.signal()
    }
  }
  for _ in 0..<threads { done.wait() }
  return Double(threads * operations) / times.seconds
}

/// When each thread began and ended.
private final class Times: @unchecked Sendable {
  // Unchecked, because each thread writes elements of its own, and they are read after all have said that they are done.
  private let starts: UnsafeMutableBufferPointer<UInt64>
  private let ends: UnsafeMutableBufferPointer<UInt64>
  private let arrived: UnsafeMutablePointer<Int32>

  init(count: Int) {
    arrived = .allocate(capacity: 1)
    arrived.initialize(to: 0)
    starts = .allocate(capacity: count)
    ends = .allocate(capacity: count)
  }

  deinit {
    arrived.deallocate()
    starts.deallocate()
    ends.deallocate()
  }

  /// Returns to all threads at the same moment.
  func meet() { CCores.meet(arrived, Int32(starts.count)) }

  func set(_ thread: Int, _ start: UInt64, _ end: UInt64) {
    starts[thread] = start
    ends[thread] = end
  }

  /// From the first beginning to the last end.
  var seconds: Double { Double((ends.max() ?? 0) - (starts.min() ?? 0)) / 1e9 }
}
