import Foundation

/// What a fleet of phones sends where only what rules name is sent, and what where everything is: the same sessions, some with a fault.
/// `upload-fleet [--sessions N]`
func benchmarkUploadFleet(_ report: Report) {
  // Swift's own backtracer would take longer for each crash than everything else.
  setenv("SWIFT_BACKTRACE", "enable=no", 1)
  let options = Array(CommandLine.arguments)
  let asked = options.firstIndex(of: "--sessions").flatMap {
    options.indices.contains($0 + 1) ? Int(options[$0 + 1]) : nil
  }
  // In short each kind of fault is there once, which is more than it should be.
  let count = asked.map { max(FleetBench.perPhone, $0) } ?? (Measurement.isShort ? 12 : 10_000)
  let bench = FleetBench(sessions: count, faultEvery: Measurement.isShort ? 4 : 50)
  report.heading("A fleet: \(count) sessions, \(bench.faults) with a fault, \(FleetBench.perPhone) of each phone")
  bench.run(report)
}

/// The fleet's phones, some at a time, each once in either way.
final class FleetBench: @unchecked Sendable {
  // Unchecked because `lock` guards what changes.

  static let perPhone = Measurement.isShort ? 4 : 20

  private let phones: [FleetPhone]
  private let arrivals = FleetArrivals()
  private let lock = NSLock()
  private var next = 0
  private var check = FleetCheck()
  private var failures: [String] = []

  init(sessions: Int, faultEvery: Int) {
    let all = (0..<sessions).map { number in
      let kinds = FleetSession.Fault.allCases
      // In the middle of a phone's life.
      let isFaulty = number % faultEvery == faultEvery / 2
      return FleetSession(number, fault: isFaulty ? kinds[number / faultEvery % kinds.count] : nil)
    }
    phones = stride(from: 0, to: sessions, by: Self.perPhone).map { first in
      FleetPhone(sessions: Array(all[first..<min(first + Self.perPhone, sessions)]))
    }
  }

  private var sessions: [FleetSession] { phones.flatMap(\.sessions) }
  var faults: Int { sessions.count { $0.fault != nil } }

  func run(_ report: Report) {
    guard let receiver = CountingReceiver({ [arrivals] in arrivals.note($0, $1) }) else {
      return report.expect("a receiver", false)
    }
    defer { receiver.stop() }
    // Most of the time a phone waits for its receiver, or until nothing comes any more.
    let workers = min(phones.count, 2 * ProcessInfo.processInfo.activeProcessorCount)
    let done = DispatchSemaphore(value: 0)
    for _ in 0..<workers {
      Thread.detachNewThread { [self] in
        while let phone = take() { live(phone, receiver) }
        done.signal()
      }
    }
    for _ in 0..<workers { done.wait() }
    for failure in failures.prefix(20) { report.expect(failure, false) }
    for problem in check.problems.prefix(20) { report.expect(problem, false) }
    report.expect("things that were wrong", failures.count + check.problems.count, is: 0)
    for mode in FleetProcess.Mode.allCases {
      report.expect("\(mode): bodies that could not be read", receiver.counts(mode.rawValue).problems, is: [])
    }
    report.expect("windows of faults that are whole", check.windows, is: faults)
    guard report.wrong == 0 else { return }
    tell(report, receiver)
  }

  private func tell(_ report: Report, _ receiver: CountingReceiver) {
    let faults = Double(max(1, self.faults))
    let (everything, kept) = (session(.everything, receiver), session(.kept, receiver))
    let mode = FleetProcess.Mode.kept.rawValue
    let (sums, counts) = (arrivals.sums(mode), receiver.counts(mode))
    let count = Double(sessions.count)
    report.value("events in each session", Double(sessions.reduce(0) { $0 + $1.times.count }) / count, "%.0f")
    report.value("events in each fault's window, all arrived", Double(check.windowEvents) / faults, "%.0f")
    report.value("everything: bytes of bodies, each session", everything.bytes, "%.0f")
    report.value("… with heads, and questions for a configuration", everything.bytesWithHeads, "%.0f")
    report.value("… requests, each session", everything.requests, "%.2f")
    report.value("kept: bytes of bodies, each session", kept.bytes, "%.0f")
    report.value("… of them summaries", Double(sums.summaries) / count, "%.0f")
    report.value("… of them in envelopes, as each launch begins", Double(counts.envelopeBytes) / count, "%.0f")
    report.value("… of what faults had around them, each fault", Double(sums.others) / faults, "%.0f")
    report.value("… with heads, and questions for a configuration", kept.bytesWithHeads, "%.0f")
    report.value("… requests, each session", kept.requests, "%.2f")
    report.value("… of them with nothing but summaries", Double(sums.summaryRequests) / count, "%.2f")
    report.value(
      "everything over kept, bytes of bodies", everything.bytes / max(1, kept.bytes), "%.1f",
      atLeast: Measurement.isShort ? nil : 30)
    report.value(
      "everything over kept, with heads and questions", everything.bytesWithHeads / max(1, kept.bytesWithHeads), "%.1f")
    report.heading("A million phones, three sessions a day, with these sessions")
    FleetArithmetic.tell("everything", everything, report)
    FleetArithmetic.tell("kept", kept, report)
  }

  private func session(_ mode: FleetProcess.Mode, _ receiver: CountingReceiver) -> FleetArithmetic.Session {
    let (counts, sums) = (receiver.counts(mode.rawValue), arrivals.sums(mode.rawValue))
    let count = Double(sessions.count)
    return FleetArithmetic.Session(
      bytes: Double(counts.bytes) / count, bytesWithHeads: Double(counts.bytesWithHeads) / count,
      requests: Double(counts.requests) / count, events: Double(sums.events) / count,
      eventBytes: Double(sums.json) / Double(max(1, sums.events)))
  }

  private func take() -> FleetPhone? {
    lock.withLock {
      guard next < phones.count, failures.count < 20 else { return nil }
      defer { next += 1 }
      return phones[next]
    }
  }

  private func live(_ phone: FleetPhone, _ receiver: CountingReceiver) {
    for mode in FleetProcess.Mode.allCases {
      withScratchDirectory { directory in
        do {
          let (recorded, last) = try phone.live(mode, in: directory, receiver.url(mode.rawValue))
          // Batches are noted before they are acknowledged.
          let arrived = arrivals.take(mode.rawValue, recorded.map(\.launch) + [last])
          lock.withLock {
            switch mode {
            case .everything: check.everything(recorded, arrived)
            case .kept: check.kept(recorded, arrived)
            }
          }
        } catch {
          lock.withLock { failures.append("\(mode): \(error)") }
        }
      }
    }
  }
}
