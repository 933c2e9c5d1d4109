import Foundation
import Testing

@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder

@Suite struct MetricKitReporterTests {
  private func reporter(_ harness: SdkHarness) throws -> MetricKitReporter {
    let runtime = try #require(harness.sdk.runtime)
    return MetricKitReporter(
      journal: runtime.journal, directory: runtime.directory, bundleId: runtime.bundleId, appVersion: "1.2",
      device: .current, buffer: runtime.buffer)
  }

  private func receive(_ payloads: [Data], _ reporter: MetricKitReporter) async {
    await withCheckedContinuation { continuation in reporter.receive(payloads) { continuation.resume() } }
  }

  private let all = [
    MetricKitFixtures.crash, MetricKitFixtures.exception, MetricKitFixtures.hang, MetricKitFixtures.others,
  ]

  @Test func `each diagnostic becomes one event, however often it is handed out`() async throws {
    let harness = try SdkHarness()
    for _ in 0..<2 { await receive(all + all, try reporter(harness)) }
    let events = try harness.recorded().map(\.event)
    #expect(events.map(\.eventType) == [.crash, .crash, .hang, .custom, .custom])
    let crash = try #require(events[0] as? SdkCrashEvent)
    #expect(crash.errorDomain == "SIGSEGV" && crash.report?.kind == .metrickit && crash.appVersion == "1.2")
    #expect(crash.timestamp == 1_749_562_200_000)
    #expect((events[2] as? SdkHangEvent)?.durationMs == 3200)
    #expect((events[3] as? SdkCustomEvent)?.typedProperties["cpuMs"] == .int(20_000))
    #expect((events[4] as? SdkCustomEvent)?.typedProperties["bytesWritten"] == .int(2000))
  }

  @Test func `what the SDK has told itself is not told again, also not in a later launch`() async throws {
    let directory = try TemporaryDirectory()
    let time: Int64 = 1_749_561_000_000
    try await SdkHarness.launch(in: directory) { harness in
      var report = DiagnosticReport(reportId: "ours", kind: .signal)
      report.signal = .init(number: 11, name: "SIGSEGV", code: 1)
      harness.sdk.record(
        SdkCrashEvent(
          timestamp: time, errorDomain: "SIGSEGV", errorMessage: nil, stackTrace: "", currentScreen: nil, bundleId: "",
          appVersion: "1.2", deviceInfo: .current, report: report))
      harness.sdk.record(SdkHangEvent(timestamp: time, durationMs: 3000, stackTrace: nil, bundleId: ""))
    }
    try await SdkHarness.launch(in: directory) { harness in
      let runtime = try #require(harness.sdk.runtime)
      try reporter(harness).remember(runtime.journal.earlierLaunches())
    }
    let harness = try SdkHarness(directory: directory)
    await receive(all, try reporter(harness))
    let events = try harness.recorded().map(\.event)
    #expect(events.map(\.eventType) == [.crash, .custom, .custom], "the exception is another crash")
    #expect((events[0] as? SdkCrashEvent)?.errorDomain == "NSRangeException")
  }

  @Test func `what may have been before everything was erased is not told`() async throws {
    let harness = try SdkHarness()
    let runtime = try #require(harness.sdk.runtime)
    let reporter = MetricKitReporter(
      journal: runtime.journal, directory: runtime.directory, bundleId: nil, appVersion: "1.2", device: .current,
      buffer: runtime.buffer, erasedAt: { 1_749_562_200_000 })
    await receive(all, reporter)
    #expect(try harness.recorded().isEmpty && harness.sdk.diagnostics.dropped.isEmpty)
  }

  @Test func `what is known is forgotten by an erasure, and nothing new is kept while nothing may be`() async throws {
    let harness = try SdkHarness()
    let reporter = try reporter(harness)
    let file = harness.directory.file(MetricKitReporter.fileName)
    await receive(all, reporter)
    #expect(FileManager.default.fileExists(atPath: file.path))
    reporter.erase()
    #expect(!FileManager.default.fileExists(atPath: file.path))
    harness.sdk.setEnabled(false)
    reporter.remember([])
    await receive(all, reporter)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `a launch that recorded nothing is not told of, where the system names its process`() throws {
    var known = KnownReports()
    var diagnostic = MetricKitDiagnostic(
      kind: .crash, begin: 1000, end: 2000, report: DiagnosticReport(reportId: "x", kind: .metrickit))
    diagnostic.pid = 7
    #expect(!known.isOfSilentLaunch(diagnostic), "nobody has noted launches")
    known.noteLaunch(pid: 6, at: 1500)
    #expect(!known.isOfSilentLaunch(diagnostic), "it may have been before they were noted")
    known.launchesSince = 900
    #expect(known.isOfSilentLaunch(diagnostic))
    known.noteLaunch(pid: 7, at: 3000)
    #expect(!known.isOfSilentLaunch(diagnostic))
    diagnostic.pid = nil
    let decoded = try JSONDecoder().decode(KnownReports.self, from: JSONEncoder().encode(known))
    #expect(decoded == known)
    #expect(decoded.isOfSilentLaunch(diagnostic), "it may be anybody's")
    diagnostic.kind = .hang
    #expect(!decoded.isOfSilentLaunch(diagnostic))
    for pid in 0..<5000 { known.noteLaunch(pid: pid, at: 1) }
    #expect(known.launches?.count == 1000)
  }

  @Test func `a crash after the SDK was switched off is not told, and one after it was on again is`() async throws {
    let pid = Int(getpid())
    var diagnostic = MetricKitDiagnostic(
      kind: .crash, begin: .max - 1, end: .max, report: DiagnosticReport(reportId: "x", kind: .metrickit))
    diagnostic.pid = pid
    let harness = try SdkHarness()
    let reporter = try reporter(harness)
    let file = harness.directory.file(MetricKitReporter.fileName)
    func known() async throws -> KnownReports {
      await receive([], reporter)
      return try JSONDecoder().decode(KnownReports.self, from: Data(contentsOf: file))
    }
    reporter.goOn()
    #expect(try await !known().isOfSilentLaunch(diagnostic))
    harness.sdk.setEnabled(false)
    reporter.rest()
    #expect(try await known().isOfSilentLaunch(diagnostic))
    harness.sdk.setEnabled(true)
    reporter.goOn()
    #expect(try await !known().isOfSilentLaunch(diagnostic))
    // Denied, there is no file, and none is made.
    reporter.erase()
    harness.sdk.setEnabled(false)
    reporter.rest()
    await receive([], reporter)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `another version, another signal, another time or another duration is another incident`() {
    var own = KnownReports.Own(kind: .crash, id: "1", time: 1_749_561_000_000)
    own.signal = "SIGSEGV"
    own.appVersion = "1.2"
    func isNews(_ data: Data, _ change: (inout KnownReports.Own) -> Void) -> Bool {
      var known = KnownReports()
      var own = own
      change(&own)
      known.add([own])
      return (try? MetricKitPayload.diagnostics(in: data, now: 0).first).map { known.take($0) } ?? false
    }
    let crash = MetricKitFixtures.crash
    #expect(!isNews(crash) { _ in })
    #expect(!isNews(crash) { $0.signal = nil })
    #expect(!isNews(crash) { $0.time -= 1_000_000 }, "within the slack")
    #expect(isNews(crash) { $0.time += 4_000_000 })
    #expect(isNews(crash) { $0.appVersion = "1.3" })
    #expect(isNews(crash) { $0.signal = "SIGABRT" })
    #expect(isNews(crash) { $0.pid = 1 })
    #expect(isNews(crash) { $0.kind = .hang })
    func hang(_ duration: Double) -> (inout KnownReports.Own) -> Void {
      { own in
        own.kind = .hang
        own.durationMs = duration
      }
    }
    #expect(!isNews(MetricKitFixtures.hang, hang(3000)))
    #expect(isNews(MetricKitFixtures.hang, hang(2000)))
  }

  @Test func `one report of ours stands for one diagnostic only`() throws {
    var known = KnownReports()
    known.add([.init(kind: .crash, id: "1", time: 1_749_561_000_000)])
    known.add([.init(kind: .crash, id: "1", time: 1_749_561_000_000)])
    #expect(known.own.count == 1)
    let crashes = try [MetricKitFixtures.crash, MetricKitFixtures.exception].map {
      try #require(try MetricKitPayload.diagnostics(in: $0, now: 0).first)
    }
    let isNews = [crashes[0], crashes[1], crashes[1]].map { known.take($0) }
    #expect(isNews == [false, true, false], "ours, another one, and that again")
  }

  @Test func `what is kept is bounded`() throws {
    var known = KnownReports()
    for number in 0..<1000 {
      known.add([.init(kind: .hang, id: "\(number)", time: 0)])
      var diagnostic = try #require(try MetricKitPayload.diagnostics(in: MetricKitFixtures.hang, now: 0).first)
      diagnostic.report.reportId = "\(number)"
      _ = known.take(diagnostic)
    }
    #expect(known.own.count == 200 && known.told.count == 400)
    #expect(known.own.last?.id == "999" && known.told.last == "999")
  }

  @Test func `a payload that cannot be read is counted, and a damaged file of what is known begins anew`() async throws
  {
    let harness = try SdkHarness()
    try Data("no JSON".utf8).write(to: harness.directory.file(MetricKitReporter.fileName))
    await receive([Data("{".utf8), MetricKitFixtures.hang], try reporter(harness))
    #expect(try harness.recorded().count == 1)
    #expect(harness.sdk.diagnostics.dropped["rejected"] == 1)
  }
}
