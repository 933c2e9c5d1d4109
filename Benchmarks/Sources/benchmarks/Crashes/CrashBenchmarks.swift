import CAutoMobile
import Foundation

/// What the crash handler adds between a fault and the end of the process. Every sample is two processes that die of the
/// same fault, one with handlers and one without, in turn.
func benchmarkCrashes(_ report: Report) {
  // Swift's own backtracer would take a quarter of a second in both.
  setenv("SWIFT_BACKTRACE", "enable=no", 1)
  report.heading("From the fault to the exit, as who waits for the process sees it")
  for (name, options, target) in [
    ("with no threads of the app's own", [], nil as Double?),
    ("with 8 parked threads", ["--parked", "8"], 2e6),
    ("with 8 busy threads", ["--busy", "8"], 50e6),
  ] {
    var bare: [CrashSample] = []
    var handled: [CrashSample] = []
    for _ in 0..<Measurement.count(25) {
      bare.append(CrashSample.take(options, reporting: false))
      handled.append(CrashSample.take(options, reporting: true))
    }
    report.expect("\(name): every process has died of the fault", (bare + handled).allSatisfy(\.exit.isFinite))
    report.expect(
      "\(name): every report is complete, and nobody writes one without handlers",
      handled.allSatisfy { $0.complete != nil && $0.crashedThread != nil } && bare.allSatisfy { $0.complete == nil })
    guard report.wrong == 0 else { return }
    let before = Measurement(nanoseconds: bare.map(\.exit))
    let added = Measurement(nanoseconds: handled.map { max(0, $0.exit - before.median) })
    report.time("\(name): no handlers", before, unit: .µs)
    report.time("\(name): added by ours", added, unit: .µs, target: target)
    let complete = Measurement(nanoseconds: handled.compactMap(\.complete))
    report.time("\(name): until the report is complete", complete, unit: .µs, target: target)
    let written = Measurement(nanoseconds: handled.compactMap(\.crashedThread))
    report.time("\(name): until the crashed thread is written", written, unit: .µs, target: 0.5e6)
  }

  report.heading("Making ready for a crash, on the thread that initializes")
  let installing = (0..<Measurement.count(25)).map { _ in installInChild() }
  report.expect("every process has installed its handlers", installing.allSatisfy(\.isFinite))
  report.time(
    "crash lane, images, handlers, alternate stack", Measurement(nanoseconds: installing), unit: .µs, target: 0.3e6)
}

/// One death.
private struct CrashSample {
  /// From the fault to the exit, in nanoseconds.
  var exit = Double.infinity
  /// From the fault until the thread that crashed was written.
  var crashedThread: Double?
  /// From the fault until the report was complete.
  var complete: Double?

  static func take(_ options: [String], reporting: Bool) -> CrashSample {
    withScratchDirectory { directory in
      let witness = directory.appendingPathComponent("witness")
      let arguments = ["--crash", directory.path, witness.path, reporting ? "1" : "0"] + options
      guard let ended = Child.run(arguments), let data = try? Data(contentsOf: witness), data.count == 8 else {
        return CrashSample()
      }
      let fault = data.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
      var sample = CrashSample(exit: Double(ended &- fault))
      let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
      if let lane = names.first(where: { $0.hasSuffix(".crash") }),
        let bytes = try? Data(contentsOf: directory.appendingPathComponent(lane), options: .mappedIfSafe),
        bytes.count >= MemoryLayout<am_lane_header>.size
      {
        let header = bytes.withUnsafeBytes { $0.loadUnaligned(as: am_lane_header.self) }
        if header.stage_times.3 > fault { sample.complete = Double(header.stage_times.3 &- fault) }
        if header.stage_times.1 > fault { sample.crashedThread = Double(header.stage_times.1 &- fault) }
      }
      return sample
    }
  }
}

private func installInChild() -> Double {
  withScratchDirectory { directory in
    let witness = directory.appendingPathComponent("witness")
    guard Child.run(["--install", directory.path, witness.path]) != nil, let data = try? Data(contentsOf: witness),
      data.count == 8
    else { return .infinity }
    return Double(data.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
  }
}

private enum Child {
  /// Runs this program again and waits.
  ///
  /// - Returns: when it had ended, on the monotonic clock, in nanoseconds.
  static func run(_ arguments: [String]) -> UInt64? {
    var pointers = ([CommandLine.arguments[0]] + arguments).map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    var pid: pid_t = 0
    guard posix_spawn(&pid, CommandLine.arguments[0], nil, nil, &pointers, environ) == 0 else { return nil }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return monotonicNow()
  }
}

func monotonicNow() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
