import AutoMobileSDK
import Foundation

/// What `initialize` costs the calling thread, with 10 MB of an earlier launch waiting. Every sample is a process.
func benchmarkInitialize(_ report: Report) {
  report.heading("initialize(bundleId:configuration:), the calling thread's share")
  withScratchDirectory { directory in
    let empty = directory.appendingPathComponent("empty")
    let full = directory.appendingPathComponent("full")
    _ = initializeInChild(full, recording: 10 << 20)
    report.time(
      "in an empty directory",
      Measurement(nanoseconds: (0..<15).map { initializeInChild(empty.appendingPathComponent("\($0)")) }),
      unit: .µs, target: 1e6)
    report.time(
      "with 10 MB of old segments", Measurement(nanoseconds: (0..<15).map { _ in initializeInChild(full) }), unit: .µs,
      target: 1e6)
  }
}

private func initializeInChild(_ directory: URL, recording bytes: Int = 0) -> Double {
  let process = Process()
  let output = Pipe()
  process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
  process.arguments = ["--initialize", directory.path, String(bytes)]
  process.standardOutput = output
  do { try process.run() } catch { return .infinity }
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  return Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? .infinity
}

/// The child's side: initializes, says how long that took, records as much as asked.
func initializeAndReport(directory: String, bytes: Int) {
  let configuration = AutoMobileConfiguration(storage: .directory(URL(fileURLWithPath: directory, isDirectory: true)))
  // Reading the clock once loads it; that is not what is measured.
  _ = DispatchTime.now().uptimeNanoseconds
  let start = DispatchTime.now().uptimeNanoseconds
  AutoMobileSDK.shared.initialize(bundleId: "com.example.bench", configuration: configuration)
  print(DispatchTime.now().uptimeNanoseconds - start)
  let text = String(repeating: "x", count: 900)
  for n in 0..<(bytes / 1000) {
    AutoMobileSDK.shared.trackEvent(name: "fill", properties: ["text": text])
    // Slowly enough for a spare segment to be ready.
    if n % 500 == 0 { Thread.sleep(forTimeInterval: 0.02) }
  }
  fflush(nil)
}
