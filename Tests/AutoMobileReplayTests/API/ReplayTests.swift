import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileReplay

@Suite(.serialized) struct ReplayTests {
  @Test func `the options are as documented`() {
    let options = ReplayOptions()
    #expect(!options.wifiOnly && options.captureANR && !options.autoTrackNetwork && options.endpoint == nil)
    #expect(options.frameInterval == 1.0 / 3 && options.jpegQuality == 0.5 && options.captureScale == 1.25)
    #expect(!options.wireframesOnly && options.recordsTouches)
    var settings = CaptureSettings(framesPerSecond: 9, scale: 9, quality: 9, mode: .wireframes)
    settings.use(options)
    #expect(settings == CaptureSettings())
  }

  @Test(
    arguments: [
      (0.5, 0.8, 2.0, 2.0, 0.8, 2.0), (0, -1, 0.5, 30, 0, 1), (-5, 1.5, 100, 30, 1, 8), (3600, 0, 8, 0.1, 0, 8),
      (.infinity, .infinity, .infinity, 0.1, 1, 8), (.nan, .nan, .nan, 3, 0.5, 1.25),
    ] as [(Double, Double, Double, Double, Double, Double)])
  func `what the app chooses is taken, within its limits`(
    interval: Double, quality: Double, scale: Double, rate: Double, takenQuality: Double, takenScale: Double
  ) {
    var options = ReplayOptions()
    options.frameInterval = interval
    options.jpegQuality = quality
    options.captureScale = scale
    options.wireframesOnly = true
    var settings = CaptureSettings()
    settings.use(options)
    #expect(
      settings
        == CaptureSettings(framesPerSecond: rate, scale: takenScale, quality: takenQuality, mode: .wireframes))
  }

  @Test func `what the app chooses reaches capture, and the collector's rate wins`() async throws {
    let temporary = try TemporaryDirectory()
    let server = try ReplayServer()
    var options = ReplayOptions()
    options.frameInterval = 0.5
    options.jpegQuality = 0.9
    options.captureScale = 2
    options.wireframesOnly = true
    let studio = Studio(server, in: temporary, options: options)
    _ = await studio.recorder.start()
    let chosen = CaptureSettings(framesPerSecond: 2, scale: 2, quality: 0.9, mode: .wireframes)
    #expect(studio.capture.state.withLock { $0.settings } == chosen)
    _ = await studio.recorder.stop()
    server.configure(#"{"recordingFps":7}"#)
    _ = await studio.recorder.start()
    #expect(studio.capture.state.withLock { $0.settings?.framesPerSecond } == 7)
    #expect(studio.capture.state.withLock { $0.settings?.mode } == .wireframes)
    _ = await studio.recorder.stop()
  }

  @Test(arguments: [true, false])
  func `touches are recorded as long as a replay is, unless the app does not want them; requests when it wants them`(
    isWanted: Bool
  ) async throws {
    let temporary = try TemporaryDirectory()
    var options = ReplayOptions(autoTrackNetwork: !isWanted)
    if !isWanted { options.recordsTouches = false }
    let studio = Studio(try ReplayServer(), in: temporary, options: options)
    _ = await studio.recorder.start()
    #expect(studio.telemetry.state.withLock { $0.touches } == (isWanted ? 1 : 0))
    #expect(studio.telemetry.state.withLock { $0.intercepts } == (isWanted ? 0 : 1))
    _ = await studio.recorder.stop()
    #expect(studio.telemetry.state.withLock { $0.touches == 0 && $0.intercepts == 0 })
  }

  @Test func `a start that was not configured says so`() async {
    let recorder = ReplayRecorder(telemetry: FakeTelemetry()) { _, _ in nil }
    #expect(await recorder.start() == .failed("not_configured"))
    recorder.configure(publicKey: "", options: ReplayOptions())
    #expect(await recorder.start() == .failed("not_configured"))
  }

  @Test func `what is configured last holds for the next start`() async throws {
    let keys = Locked<[String]>([])
    let recorder = ReplayRecorder(telemetry: FakeTelemetry()) { key, options in
      keys.withLock { $0.append("\(key) \(options.wifiOnly)") }
      return nil
    }
    recorder.configure(publicKey: "a", options: ReplayOptions())
    recorder.configure(publicKey: "b", options: ReplayOptions(wifiOnly: true))
    _ = await recorder.start()
    #expect(keys.withLock { $0.last } == "b true")
  }

  @Test func `the callbacks are called once, also without anything configured`() async {
    let started = await withCheckedContinuation { continuation in
      Replay.start { continuation.resume(returning: $0) }
    }
    #expect(!started.success)
    let stopped = await withCheckedContinuation { continuation in Replay.stop { continuation.resume(returning: $0) } }
    #expect(stopped == ReplayStopResult(success: true))
    #expect(Replay.sessionId == nil)
  }

  @Test func `screens from before are kept, fifty of them, without repetitions`() async throws {
    let temporary = try TemporaryDirectory()
    let studio = Studio(try ReplayServer(), in: temporary)
    for number in 0..<60 {
      studio.recorder.trackScreen("screen \(number)")
      studio.recorder.trackScreen("screen \(number)")
    }
    // Who shows another screen is below.
    studio.telemetry.listen { [recorder = studio.recorder] in recorder.logEvent(FakeTelemetry.echo, [:]) }
    studio.recorder.logEvent("too early", [:])
    _ = await studio.recorder.start()
    studio.recorder.trackScreen("later")
    studio.recorder.logEvent("in time", ["list": [1, "two", nil], "object": ["a": 1.5], "nothing": nil, "yes": true])
    #expect(await eventually { studio.telemetry.state.withLock { $0.screens.count } == 51 })
    let heard = studio.telemetry.state.withLock { $0 }
    #expect(heard.screens == (10..<60).map { "screen \($0)" } + ["later"])
    #expect(heard.events == ["in time"])
    _ = await studio.recorder.stop()
  }

  @Test
  func
    `what the app's listeners call meanwhile comes through, and a screen that is shown now comes after those from before`()
    async throws
  {
    let temporary = try TemporaryDirectory()
    let studio = Studio(try ReplayServer(), in: temporary)
    studio.recorder.trackScreen("before")
    let isOver = Locked(false)
    studio.telemetry.listen { [recorder = studio.recorder] in
      recorder.trackScreen(FakeTelemetry.echo)
      // The first time, the app shows another one, because it has heard of the one before.
      let isFirst = isOver.withLock { isOver in
        defer { isOver = true }
        return !isOver
      }
      if isFirst, recorder.sessionId != nil { recorder.trackScreen("now") }
      recorder.logEvent(FakeTelemetry.echo, [:])
    }
    let result = Locked<ReplayStartResult?>(nil)
    Task {
      let start = await studio.recorder.start()
      result.withLock { $0 = start }
    }
    try #require(await eventually { result.withLock { $0 } != nil })
    studio.recorder.trackScreen("later")
    #expect(await eventually { studio.telemetry.state.withLock { $0.screens.last } == "later" })
    let heard = studio.telemetry.state.withLock { $0 }
    #expect(heard.screens.first == "before" && heard.screens.last == "later" && heard.echoes > 0)
    _ = await studio.recorder.stop()
  }

  @Test func `who is identified is told the SDK once, also before a replay, and a change is on the timeline`()
    async throws
  {
    let temporary = try TemporaryDirectory()
    let server = try ReplayServer()
    let studio = Studio(server, in: temporary)
    studio.recorder.identify("early")
    _ = await studio.recorder.start()
    studio.recorder.identify("😀\u{0}\"")
    studio.recorder.identify(String(repeating: "x", count: 1_000_000))
    _ = await studio.recorder.stop()
    #expect(studio.telemetry.state.withLock { $0.users.prefix(2) } == ["early", "😀\u{0}\""])
    let events = server.uploaded.filter { $0.kind == "events" }.flatMap { $0.content.split(separator: 0x0A) }
    #expect(events.allSatisfy { (try? JSONSerialization.jsonObject(with: Data($0))) != nil })
    #expect(events.count >= 4)
  }

  @Test func `a freeze is on the timeline`() async throws {
    let temporary = try TemporaryDirectory()
    let server = try ReplayServer()
    let studio = Studio(server, in: temporary)
    _ = await studio.recorder.start()
    studio.telemetry.state.withLock { $0.freezes }?(.freezeBegan(id: "f", startedAt: 5))
    _ = await studio.recorder.stop()
    let lines = server.uploaded.map { String(decoding: $0.content, as: UTF8.self) }.joined()
    #expect(lines.contains(#""id":"f","startedAt":5"#))
  }

  @Test func `callers who start and stop at the same time are all answered, and nothing is left running`() async throws
  {
    let temporary = try TemporaryDirectory()
    let server = try ReplayServer()
    let studio = Studio(server, in: temporary)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          if number % 2 == 0 { _ = await studio.recorder.start() } else { _ = await studio.recorder.stop() }
        }
      }
    }
    _ = await studio.recorder.stop()
    #expect(!studio.capture.isRunning)
    #expect(await eventually { SessionDirectory.all(in: studio.root).isEmpty })
    let marks = studio.telemetry.state.withLock { $0.marks }
    #expect(marks.last ?? nil == nil)
    #expect(marks.compactMap { $0 }.count == server.ends.count)
  }
}
