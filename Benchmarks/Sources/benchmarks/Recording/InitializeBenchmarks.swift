import AutoMobileSDK
import Foundation

/// What `initialize` costs the calling thread, with 10 MB of an earlier launch waiting. Every sample is a process.
func benchmarkInitialize(_ report: Report) {
  report.heading("initialize(bundleId:configuration:), the calling thread's share")
  withScratchDirectory { directory in
    let empty = directory.appendingPathComponent("empty")
    let full = directory.appendingPathComponent("full")
    _ = initializeInChild(full, recording: 10 << 20)
    report.expect("megabytes of old segments", size(of: full) >> 20, in: 10...16)
    func measure(_ name: String, _ sample: (Int) -> Double) {
      let samples = (0..<Measurement.count(15)).map(sample)
      report.expect("\(name): every process has initialized", samples.allSatisfy(\.isFinite))
      report.time(name, Measurement(nanoseconds: samples), unit: .µs, target: 1e6)
    }
    measure("in an app that has used Foundation, in an empty directory") {
      initializeInChild(empty.appendingPathComponent("w\($0)"), isWarm: true)
    }
    measure("… with 10 MB of old segments") { _ in initializeInChild(full, isWarm: true) }
    measure("… and an endpoint to deliver them to") { _ in
      initializeInChild(full, isWarm: true, endpoint: "http://127.0.0.1:9")
    }
    measure("as the first thing a process does, in an empty directory") {
      initializeInChild(empty.appendingPathComponent("\($0)"))
    }
    measure("as the first thing, with 10 MB of old segments") { _ in initializeInChild(full) }
    report.expect("megabytes of old segments at the end", size(of: full) >> 20, in: 10...16)
  }
}

private func size(of directory: URL) -> Int {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
  return names.reduce(0) { total, name in
    let path = directory.appendingPathComponent(name).path
    let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber
    return total + (size?.intValue ?? 0)
  }
}

private func initializeInChild(
  _ directory: URL, recording bytes: Int = 0, isWarm: Bool = false, endpoint: String? = nil
) -> Double {
  let kept = Set((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [])
  let process = Process()
  let output = Pipe()
  process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
  process.arguments = ["--initialize", directory.path, String(bytes), isWarm ? "warm" : "cold"]
  if let endpoint { process.arguments?.append(endpoint) }
  process.standardOutput = output
  do { try process.run() } catch { return .infinity }
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  // The next sample finds what this one found.
  if bytes == 0 { removeAll(but: kept, in: directory) }
  guard process.terminationStatus == 0 else { return .infinity }
  return Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? .infinity
}

private func removeAll(but kept: Set<String>, in directory: URL) {
  for name in (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [] where !kept.contains(name) {
    try? FileManager.default.removeItem(at: directory.appendingPathComponent(name))
  }
}

/// The child's side: initializes, says how long that took, records as much as asked.
///
/// - Parameter isWarm: do before what every app has done when its own code runs for the first time: use paths, files, dates,
///   dictionaries, queues, notifications, so that the runtime and the loader know them.
func initializeAndReport(directory: String, bytes: Int, isWarm: Bool, endpoint: URL?) {
  if isWarm { useFoundation() }
  let configuration = AutoMobileConfiguration(
    endpoint: endpoint, storage: .directory(URL(fileURLWithPath: directory, isDirectory: true)))
  // Reading the clock once loads it; that is not what is measured.
  _ = DispatchTime.now().uptimeNanoseconds
  let start = DispatchTime.now().uptimeNanoseconds
  AutoMobileSDK.shared.initialize(bundleId: "com.example.bench", configuration: configuration)
  let elapsed = DispatchTime.now().uptimeNanoseconds - start
  guard AutoMobileSDK.shared.isInitialized, AutoMobileSDK.shared.isEnabled else { exit(1) }
  print(elapsed)
  let text = String(repeating: "x", count: 900)
  for n in 0..<(bytes / 1000) {
    AutoMobileSDK.shared.trackEvent(name: "fill", properties: ["text": text])
    // Slowly enough for a spare segment to be ready.
    if n % 500 == 0 { Thread.sleep(forTimeInterval: 0.02) }
  }
  fflush(nil)
}

private func useFoundation() {
  let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  let file = directory.appendingPathComponent("settings.json")
  try? JSONEncoder().encode(["launches": ["count": 1]]).write(to: file, options: .atomic)
  let settings = try? JSONDecoder().decode([String: [String: Int]].self, from: Data(contentsOf: file))
  DispatchQueue(label: "app").sync { _ = (settings, file.path, Date().timeIntervalSince1970, Set([directory])) }
  let timer = DispatchSource.makeTimerSource()
  timer.schedule(deadline: .now() + 3600)
  timer.activate()
  timer.cancel()
  let observer = NotificationCenter.default.addObserver(forName: Notification.Name("app"), object: nil, queue: nil) {
    _ in
  }
  NotificationCenter.default.removeObserver(observer)
  try? FileManager.default.removeItem(at: directory)
}
