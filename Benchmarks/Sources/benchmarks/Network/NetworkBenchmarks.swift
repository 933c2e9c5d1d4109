import AutoMobileSDK
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What interception costs: the same requests through a session as it is and through an intercepted one, in turn, over
/// loopback, recorded into a journal. `--short`: a tenth of it, to see that it runs.
func benchmarkNetwork(_ report: Report) {
  let isShort = Measurement.isShort
  guard let (server, url) = LoopbackServer.start() else { return report.expect("a server", false) }
  defer { server.terminate() }
  report.heading("Requests per second through an intercepted session, of those through a bare one")
  withScratchDirectory { directory in
    initializeForNetwork(directory)
    let bare = NetworkLoad(intercepted: false)
    let intercepted = NetworkLoad(intercepted: true)
    for (name, size, full) in [("1 KB", 1 << 10, 2000), ("1 MB", 1 << 20, 100)] {
      for inFlight in [1, 32] {
        let count = isShort ? full / 10 : full
        let page = url.appendingPathComponent("\(size)")
        for load in [bare, intercepted] { _ = load.rate(page, count: count / 10, inFlight: inFlight) }
        // In turn, so that what else the machine does meets both.
        let rounds = (0..<(isShort ? 3 : 7)).map { _ in
          (bare.rate(page, count: count, inFlight: inFlight), intercepted.rate(page, count: count, inFlight: inFlight))
        }
        let rate = rounds.map(\.1).sorted()[rounds.count / 2]
        let share = rounds.map { $0.1 / $0.0 }.sorted()[rounds.count / 2]
        for (load, kind) in [(bare, "bare"), (intercepted, "intercepted")] {
          let asked = count / 10 + rounds.count * count
          report.expect("\(name), \(inFlight) in flight, \(kind): whole answers", load.takeAnswers(of: size), is: asked)
        }
        report.value("\(name), \(inFlight) in flight (\(Int(rate)) a second)", share, atLeast: 0.9)
      }
    }
    // The app has its answer before the exchange is recorded.
    let deadline = DispatchTime.now() + .seconds(10)
    while recordedCount() < intercepted.asked, DispatchTime.now() < deadline { Thread.sleep(forTimeInterval: 0.01) }
    let recorded = recordedCount()
    report.expect("intercepted requests that were recorded", recorded, in: intercepted.asked...intercepted.asked + 200)
  }
  report.heading("Memory")
  let held = isShort ? 100 : 500
  if let (bare, intercepted) = networkMemory("hold", held, url, report) {
    report.value(
      "for each of \(held) requests in flight, KB more than bare", Double(intercepted - bare) / Double(held) / 1024,
      "%.1f", atMost: 64)
  }
  let many = isShort ? 5000 : 100_000
  if let (bare, intercepted) = networkMemory("many", many, url, report) {
    report.value("after \(many) bare requests, MB more than at the start", Double(bare) / 1048576, "%.1f")
    // Foundation's own share is not ours.
    report.value("… intercepted, MB more than that", Double(intercepted - bare) / 1048576, "%.1f", atMost: 5)
  }
}

/// By how many bytes a process for each kind of session has grown; nil when one of them did not come to its end.
private func networkMemory(
  _ what: String, _ count: Int, _ url: URL, _ report: Report
) -> (bare: Int, intercepted: Int)? {
  func grown(_ kind: String) -> Int? {
    guard let child = networkChild([kind, what, url.absoluteString, "\(count)"]) else {
      report.expect("\(what), \(kind): the process has said what it measured", false)
      return nil
    }
    report.expect("\(what), \(kind): requests when it was measured", child.requests, is: count)
    return child.grown
  }
  guard let bare = grown("bare"), let intercepted = grown("intercepted") else { return nil }
  return (bare, intercepted)
}

private func recordedCount() -> Int { Int(clamping: AutoMobileSDK.shared.diagnostics.recorded) }

/// The child's side: prints by how many bytes resident memory has grown, and how many requests were held, or answered, by then.
func measureNetworkMemory(_ arguments: [String]) -> Never {
  guard arguments.count == 5, let url = URL(string: arguments[3]), let count = Int(arguments[4]) else { exit(2) }
  withScratchDirectory { directory in
    initializeForNetwork(directory)
    let load = NetworkLoad(intercepted: arguments[1] == "intercepted")
    // What there is once: threads, queues, the recording's own buffers.
    _ = load.rate(url.appendingPathComponent("1024"), count: 2000, inFlight: 32)
    guard load.takeAnswers(of: 1024) == 2000 else { exit(1) }
    let before = residentMemory()
    if arguments[2] == "hold" {
      load.hold(url.appendingPathComponent("hold"), count: count)
      // Until all of them have a connection and wait; whoever measures says when they did not.
      let deadline = DispatchTime.now() + .seconds(60)
      while LoopbackServer.held(by: url) < count, DispatchTime.now() < deadline { Thread.sleep(forTimeInterval: 0.05) }
    } else {
      _ = load.rate(url.appendingPathComponent("1024"), count: count, inFlight: 32)
    }
    Thread.sleep(forTimeInterval: 1)
    let grown = residentMemory() - before
    print(grown, arguments[2] == "hold" ? LoopbackServer.held(by: url) : load.takeAnswers(of: 1024))
    fflush(nil)
  }
  exit(0)
}

private func networkChild(_ arguments: [String]) -> (grown: Int, requests: Int)? {
  let process = Process()
  let output = Pipe()
  process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
  process.arguments = ["--network-memory"] + arguments
  process.standardOutput = output
  guard (try? process.run()) != nil else { return nil }
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  guard process.terminationStatus == 0 else { return nil }
  let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
  return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
}

private func initializeForNetwork(_ directory: URL) {
  AutoMobileSDK.shared.initialize(
    bundleId: "com.example.bench",
    configuration: AutoMobileConfiguration(storage: .directory(directory.appendingPathComponent("journal"))))
}

/// Without the pages of mapped files, the journal's: the system can write these back and take them at any time.
private func residentMemory() -> Int {
  let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
  let pages = fields.map { Int($0) ?? 0 }
  return pages.count > 2 ? (pages[1] - pages[2]) * 4096 : 0
}

/// A session, and many requests through it.
private final class NetworkLoad: @unchecked Sendable {
  // Unchecked: everything is set before the first request, but for the counts, which have a lock.
  private let session: URLSession
  private let lock = NSLock()
  private var left = 0
  private var underWay = 0
  private let finished = DispatchSemaphore(value: 0)
  private var answers: [Int: Int] = [:]
  /// Requests so far.
  private(set) var asked = 0

  init(intercepted: Bool) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 1000
    configuration.timeoutIntervalForRequest = 600
    if intercepted { AutoMobileNetwork.shared.register(in: configuration) }
    session = URLSession(configuration: configuration)
  }

  /// Requests a second, so many at a time.
  func rate(_ url: URL, count: Int, inFlight: Int) -> Double {
    left = count
    asked += count
    underWay = 0
    let start = DispatchTime.now().uptimeNanoseconds
    for _ in 0..<min(count, inFlight) { next(url) }
    finished.wait()
    return Double(count) / Double(DispatchTime.now().uptimeNanoseconds - start) * 1e9
  }

  private func next(_ url: URL) {
    lock.lock()
    let begins = left > 0
    if begins {
      left -= 1
      underWay += 1
    }
    lock.unlock()
    guard begins else { return }
    session.dataTask(with: url) { [self] data, response, _ in
      lock.lock()
      if (response as? HTTPURLResponse)?.statusCode == 200, let data { answers[data.count, default: 0] += 1 }
      underWay -= 1
      let isLast = left == 0 && underWay == 0
      lock.unlock()
      if isLast { finished.signal() } else { next(url) }
    }.resume()
  }

  /// How many answers had so many bytes, since this was asked last.
  func takeAnswers(of size: Int) -> Int { lock.withLock { answers.removeValue(forKey: size) ?? 0 } }

  /// Requests that are not answered.
  func hold(_ url: URL, count: Int) {
    for _ in 0..<count { session.dataTask(with: url) { _, _, _ in }.resume() }
  }
}
