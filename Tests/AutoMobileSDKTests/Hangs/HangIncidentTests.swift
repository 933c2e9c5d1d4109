import Testing

@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder

@Suite struct HangIncidentTests {
  private let unwinder = StackUnwinder(
    images: ImageTable([Image(path: "/app/main", base: 0x1000, size: 0x100_0000, identifier: "ab")]))

  /// A stack by its addresses, the innermost first.
  private func sample(_ addresses: [UInt64], names: [String] = []) -> MainThreadSample {
    var frames = addresses.enumerated().map {
      StackFrame(address: $1, trust: $0 == 0 ? .context : .cfi, image: unwinder.images.index(of: $1))
    }
    for (index, name) in names.enumerated() { frames[index].symbol = name }
    return MainThreadSample(
      thread: 7, stack: UnwoundStack(frames: frames, isTruncated: false), unwinder: unwinder)
  }

  @Test func `equal stacks are counted, and the most frequent one is where the time went`() {
    var incident = HangIncident(id: "a", startedAt: 0)
    incident.add(sample([0x1100, 0x1200]), atMs: 2000)
    incident.add(sample([0x1300, 0x1200]), atMs: 2100)
    incident.add(sample([0x1300, 0x1200]), atMs: 2200)
    #expect(incident.samples.map(\.count) == [1, 2])
    #expect(incident.samples.map(\.atMs) == [2000, 2100])
    #expect(incident.dominant?.stack.frames.first?.address == 0x1300)
  }

  @Test func `a function that computes is one stack, wherever it was met`() {
    var incident = HangIncident(id: "a", startedAt: 0)
    incident.add(sample([0x1100, 0x1200], names: ["sum"]), atMs: 2000)
    incident.add(sample([0x1108, 0x1200], names: ["sum"]), atMs: 2100)
    incident.add(sample([0x1110, 0x1300], names: ["sum"]), atMs: 2200)
    incident.add(sample([0x1110], names: ["sum"]), atMs: 2300)
    #expect(incident.samples.map(\.count) == [2, 1, 1])
  }

  @Test func `what could not be taken is counted, too`() {
    var incident = HangIncident(id: "a", startedAt: 0)
    incident.add(nil, atMs: 2000)
    let report = DiagnosticReport(incident, lastedMs: 2500)
    #expect(incident.failures == 1)
    #expect(report.threads.isEmpty)
    #expect(report.notes.count == 1)
  }

  @Test func `a report has the thread, its samples and only the images that frames name`() throws {
    var incident = HangIncident(id: "a", startedAt: 0)
    incident.add(sample([0x1100, 0x9000_0000, 0x1200]), atMs: 2000)
    incident.add(sample([0x1300]), atMs: 2100)
    incident.add(sample([0x1300]), atMs: 5100)
    let report = DiagnosticReport(incident, lastedMs: 5200)
    #expect(report.reportId == "a" && report.kind == .hang)
    #expect(report.durationMs == 5200 && report.anr == true)
    #expect(report.threads.count == 1)
    #expect(report.threads[0].main && report.threads[0].frames.map(\.address.rawValue) == [0x1300])
    #expect(report.samples?.map(\.count) == [1, 2])
    #expect(report.images.map(\.name) == ["main"])
    #expect(DiagnosticReport(incident, lastedMs: 5200, maximumSamples: 1).samples?.map(\.count) == [2])
    #expect(DiagnosticReport(incident, lastedMs: 4999).anr == false)
  }

  @Test func `a hang that shows another deep stack each time still fits into an event`() throws {
    var incident = HangIncident(id: "a", startedAt: 0)
    let name = String(repeating: "x", count: 512)
    for number in 0..<100 {
      let addresses = (0..<200).map { UInt64(0x2000 + 256 * ($0 + number)) }
      incident.add(
        sample(addresses, names: [String](repeating: name, count: 200)), atMs: Int64(2000 + number))
    }
    #expect(!incident.samples.isEmpty)
    #expect(incident.samples.count + incident.others == 100)
    let report = DiagnosticReport(incident, lastedMs: 20_000)
    let event = SdkHangEvent(durationMs: 20_000, stackTrace: report.stackTrace, bundleId: "b", report: report)
    #expect(try withEncodedEvent(event, contextId: 1) { $0.count } <= 600_000)
  }
}
