import AutoMobileSDK
import AutoMobileSupport
import Foundation
import HeapStatistics
import ReplayTesting
import UIKit

@testable import AutoMobileReplay

/// An hour of a replay, three frames a second: what it takes in memory, on disk and of the processor. The collector is another
/// process, which takes everything, takes its time, or takes nothing.
///
///     adapter-bench replay-hour [MINUTES [accepts | slow | refuses]]
@MainActor enum ReplayHour {
  nonisolated static let receiverArgument = "replay-hour-receiver"
  private static let manners = ["accepts", "slow", "refuses"]
  private static let limit = 20.0

  /// Without a manner: each in a process of its own, so that none has another's memory.
  static func run(_ arguments: [String]) {
    let minutes = arguments.first.flatMap { Int($0) } ?? 60
    guard arguments.count > 1, manners.contains(arguments[1]) else {
      for manner in manners {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        child.arguments = ["replay-hour", String(minutes), manner]
        guard (try? child.run()) != nil else {
          print("  cannot start another process")
          exit(1)
        }
        child.waitUntilExit()
        guard child.terminationStatus == 0 else { exit(1) }
      }
      return
    }
    withScratchDirectory { directory in
      let isOver = Locked(false)
      Task { @MainActor in
        do {
          try await record(minutes: minutes, manner: arguments[1], in: directory)
        } catch {
          print("  \(error)")
          exit(1)
        }
        isOver.withLock { $0 = true }
      }
      while !isOver.withLock({ $0 }) { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01)) }
    }
  }

  // MARK: The other process

  /// Prints its port, and answers until nobody listens any more.
  static func receive(_ arguments: [String]) {
    let manner: ReplayReceiver.Manner =
      arguments.first == "slow" ? .slow(0.5) : arguments.first == "refuses" ? .refuses : .accepts
    guard let receiver = try? ReplayReceiver(manner) else { return }
    FileHandle.standardOutput.write(Data("\(receiver.url.absoluteString)\n".utf8))
    while let line = readLine() { if line == "accept" { receiver.answer(as: .accepts) } }
    let counts = receiver.counts
    let dropped = counts.metrics["framesDropped"] ?? 0
    print(
      "  with the collector: \(counts.segments) segments, \(megabytes(counts.bytes)), \(counts.ends) end,",
      "\(counts.metrics["framesRecorded"] ?? 0) frames recorded, \(dropped) dropped",
      counts.metrics.filter { $0.key.hasPrefix("framesDropped.") }.sorted { $0.key < $1.key })
  }

  private struct Receiver {
    let process = Process()
    let input = Pipe()
    let url: URL

    init(_ manner: String) throws {
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = [receiverArgument, manner]
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      var line = Data()
      while let byte = try output.fileHandleForReading.read(upToCount: 1), byte.first != 0x0A { line += byte }
      url = URL(string: String(decoding: line, as: UTF8.self)) ?? URL(fileURLWithPath: "/")
      output.fileHandleForReading.readabilityHandler = { FileHandle.standardOutput.write($0.availableData) }
    }

    func say(_ line: String) { input.fileHandleForWriting.write(Data("\(line)\n".utf8)) }

    func end() {
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
    }
  }

  // MARK: The recording

  /// Somebody uses an app: reads, scrolls, types, watches, and lets it lie.
  private static var story: [(screen: SyntheticScreen, frames: Int)] {
    let typing = SyntheticScreen.typing()
    // Else nothing of it would be recorded.
    Replay.unmask(typing.window)
    return [
      (.form(), 180), (.list(by: 75, "scrolling"), 120), (typing, 150), (.list(by: 73, "scrolling by parts"), 60),
      (.video(isFull: false), 30), (.form(), 360),
    ]
  }

  private static func record(minutes: Int, manner: String, in directory: URL) async throws {
    let receiver = try Receiver(manner)
    defer { receiver.end() }
    let (encoding, storing) = (Stopwatch(), Stopwatch())
    let codec = PictureCodecs.system.map { MeasuredCodec(codec: $0, watch: encoding) as any PictureCodec }
    let replay = SimulatedReplay(story, root: directory, base: receiver.url, codec: codec) {
      MeasuredSink(sink: $0, watch: storing)
    }
    replay.rehearse(900, every: 10)
    // An app that records has sent requests: what the system's libraries need for one is there.
    _ = await URLSessionTransport().send(HTTPRequest(method: "GET", url: receiver.url))
    let before = Usage(directory)
    say("\nA replay of \(minutes) minutes, the collector \(manner)")
    say(
      "  before: \(megabytes(before.resident)) in memory, \(megabytes(before.heap)) of heap in use, files mapped",
      megabytes(before.code))
    let report = Report()
    defer { report.finish() }
    guard await replay.start().success else { return report.expect("the replay begins", false) }
    let frames = minutes * 180
    var main = 0.0
    var most: [Int] = []
    var mostNow = 0
    var mostFrames = 0
    for frame in 1...max(1, frames) {
      let start = Stopwatch.threadTime
      replay.step()
      main += Stopwatch.threadTime - start
      replay.settle()
      // An hour has as much time for its uploads as an hour has.
      if manner == "accepts" { try await keepUp(replay) }
      if frame % 3 == 0 { mostNow = max(mostNow, Usage.resident) }
      guard frame % 1800 == 0 || frame == frames else { continue }
      most.append(mostNow)
      mostNow = 0
      let usage = Usage(directory)
      mostFrames = max(mostFrames, usage.frames)
      say(
        "  \(pad(frame / 180)) min: \(signed(usage.resident - before.resident)) in memory, at most",
        "\(signed(most[most.count - 1] - before.resident)); \(signed(usage.heap - before.heap)) of heap,",
        "\(signed(usage.code - before.code)) of mapped files;",
        "\(usage.files) files, \(megabytes(usage.bytes)) on disk, \(usage.frames) frames wait; \(usage.open) files open"
      )
    }
    let all = Stopwatch.processTime - before.time
    let worst = Double((most.max() ?? 0) - before.resident) / 1_000_000
    // In the first ten minutes, what is used again and again comes to be there.
    let growth = Double((most.last ?? 0) - (most.dropFirst().first ?? most.last ?? 0)) / 1_000_000
    report.expect("frames that were on disk at some time", mostFrames, in: 1...frames)
    report.value("  more memory than before, at most, in MB", worst, atMost: limit)
    report.value("  the last ten minutes over the second ten, in MB", growth, atMost: 2)
    func each(_ seconds: Double) -> String { String(format: "%.3f ms", seconds / Double(frames) * 1000) }
    say(
      "  processor for each frame: \(each(all)), of these \(each(main)) on the main thread with the stand-ins' drawing,",
      "\(each(encoding.seconds)) JPEG, \(each(storing.seconds)) files and journal; the rest compares, uploads and waits"
    )
    receiver.say("accept")
    // By then it is asked again.
    replay.pass(CircuitBreaker.longestWait)
    await replay.stop()
    if manner == "accepts" {
      report.expect("files that are left when all is uploaded", replay.waitingFrames.count, is: 0)
    }
  }

  private static func keepUp(_ replay: SimulatedReplay) async throws {
    let deadline = Date(timeIntervalSinceNow: 1)
    func isBehind() -> Bool {
      let files = replay.files
      let frames = files.filter { $0.hasSuffix(".amf") }.count
      return frames > 150 || files.count - frames > 8
    }
    while isBehind(), Date() < deadline { try await Task.sleep(nanoseconds: 2_000_000) }
  }

  /// At once, also into a pipe: an hour is long.
  private static func say(_ words: String...) {
    print(words.joined(separator: " "))
    fflush(nil)
  }

  private static func megabytes(_ bytes: Int) -> String { String(format: "%.1f MB", Double(bytes) / 1_000_000) }
  private static func signed(_ bytes: Int) -> String { String(format: "%+.1f MB", Double(bytes) / 1_000_000) }
  private static func pad(_ number: Int) -> String { String(format: "%3d", number) }
}

/// What the process has, and what it has put on disk.
private struct Usage {
  let resident = Self.resident
  let code = Self.code
  let heap = Int(clamping: heap_live_bytes())
  let time = Stopwatch.processTime
  let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  private(set) var files = 0
  private(set) var frames = 0
  private(set) var bytes = 0

  init(_ directory: URL) {
    for case let path as String in FileManager.default.enumerator(atPath: directory.path) ?? .init() {
      let attributes = try? FileManager.default.attributesOfItem(atPath: directory.path + "/" + path)
      guard attributes?[.type] as? FileAttributeType == .typeRegular else { continue }
      files += 1
      frames += path.hasSuffix(".amf") ? 1 : 0
      bytes += (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }
  }

  /// What is resident and no file's: a phone counts the same as an app's memory. Code of libraries that is used for the first
  /// time is none of it, nor are the journal's mapped files.
  static var resident: Int { status("RssAnon:") + status("RssShmem:") }
  static var code: Int { status("RssFile:") }

  private static func status(_ name: String) -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    return kilobytes * 1024
  }
}

/// The processor's time of one stage, whatever thread does it.
private final class Stopwatch: Sendable {
  private let spent = Locked(0.0)
  var seconds: Double { spent.withLock { $0 } }

  func measure<Result>(_ body: () -> Result) -> Result {
    let start = Self.threadTime
    let result = body()
    let end = Self.threadTime
    spent.withLock { $0 += end - start }
    return result
  }

  static var threadTime: Double { time(CLOCK_THREAD_CPUTIME_ID) }
  static var processTime: Double { time(CLOCK_PROCESS_CPUTIME_ID) }

  private static func time(_ clock: clockid_t) -> Double {
    var now = timespec()
    clock_gettime(clock, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }
}

private struct MeasuredCodec: PictureCodec {
  let codec: any PictureCodec
  let watch: Stopwatch

  func encode(_ pixels: UnsafeMutablePointer<UInt32>, width: Int, height: Int, quality: Double) -> Data? {
    watch.measure { codec.encode(pixels, width: width, height: height, quality: quality) }
  }

  func decode(_ bytes: Data) -> Picture? { codec.decode(bytes) }
}

private struct MeasuredSink: ReplaySink {
  let sink: any ReplaySink
  let watch: Stopwatch

  func accept(_ frame: ReplayFrame) { watch.measure { sink.accept(frame) } }
  func accept(_ snapshot: ReplaySnapshot) { watch.measure { sink.accept(snapshot) } }
  func dropped(_ loss: CaptureLoss) { sink.dropped(loss) }
}
