import AutoMobileSDK
import Foundation

/// What watching the main thread costs while nothing happens, and what it costs to report a failure.
func benchmarkHangs(_ report: Report) {
  report.heading("the watchdog, in an app that does nothing for \(Int(idleSeconds)) s")
  let without = idleInChild(watching: false)
  let watching = idleInChild(watching: true)
  report.expect("both processes have run", without.isFinite && watching.isFinite)
  report.value("processor time of the whole process, not watched", without * 100, "%.4f %% of a core")
  report.value("… watched", watching * 100, "%.4f %% of a core")
  report.value("the watchdog's share", max(0, watching - without) * 100, "%.4f %% of a core", atMost: 0.05)

  report.heading("AutoMobileFailures.recordHandledException, durable at return")
  withScratchDirectory { directory in
    AutoMobileSDK.shared.initialize(
      bundleId: "com.example.bench", configuration: AutoMobileConfiguration(storage: .directory(directory)))
    let failure = Failure.declined(code: 51)
    let before = AutoMobileSDK.shared.diagnostics.recorded
    let reporting = Measurement(samples: 200, operations: 10, rest: 0.002) { operations in
      for _ in 0..<operations { AutoMobileFailures.shared.recordHandledException(failure, message: "asking again") }
    }
    report.time("a Swift error, with the stack of the caller", reporting, unit: .µs)
    let recorded = Int(clamping: AutoMobileSDK.shared.diagnostics.recorded &- before)
    report.expect("failures that were recorded", recorded, in: reporting.operations...reporting.operations + 50)
    AutoMobileSDK.shared.shutdown()
  }
}

private enum Failure: Error { case declined(code: Int) }

private let idleSeconds = Measurement.isShort ? 0.5 : 10.0

/// Processor time over the time that passed.
private func idleInChild(watching: Bool) -> Double {
  let process = Process()
  let output = Pipe()
  process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
  process.arguments = ["--idle", watching ? "watching" : "alone"] + (Measurement.isShort ? ["--short"] : [])
  process.standardOutput = output
  do { try process.run() } catch { return .infinity }
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  return Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? .infinity
}

/// The child's side: starts the SDK, lets it settle, and measures what the process uses while it waits for events.
func idleAndReport(watching: Bool) {
  withScratchDirectory { directory in
    AutoMobileSDK.shared.initialize(
      bundleId: "com.example.bench",
      configuration: AutoMobileConfiguration(
        storage: .directory(directory), subsystems: watching ? .standard : .standard.subtracting(.hangs)))
    RunLoop.main.run(until: Date(timeIntervalSinceNow: min(2, idleSeconds)))
    guard AutoMobileSDK.shared.isEnabled(.hangs) == watching else { exit(1) }
    let (processor, wall) = (processorTime(), DispatchTime.now().uptimeNanoseconds)
    RunLoop.main.run(until: Date(timeIntervalSinceNow: idleSeconds))
    print((processorTime() - processor) / Double(DispatchTime.now().uptimeNanoseconds - wall))
  }
}

/// Of this process, in nanoseconds.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}
