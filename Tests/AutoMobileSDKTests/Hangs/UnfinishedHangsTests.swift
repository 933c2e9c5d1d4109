import AutoMobileJournal
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder

/// What the next launch makes of a hang, wherever it was killed itself.
@Suite struct UnfinishedHangsTests {
  private func event(_ id: String) -> SdkHangEvent {
    SdkHangEvent(
      durationMs: 2500, stackTrace: "0  app  0x1", bundleId: "com.example.test",
      report: DiagnosticReport(reportId: id, kind: .hang))
  }

  /// The hangs that a launch tells of its predecessors.
  private func told(in directory: TemporaryDirectory, thenBody body: (SdkHarness) -> Void = { _ in }) async throws
    -> [String]
  {
    let told = Locked<[String]>([])
    try await SdkHarness.launch(in: directory) { harness in
      let runtime = try #require(harness.sdk.runtime)
      UnfinishedHangs(journal: runtime.journal, buffer: runtime.buffer)
        .tell(of: runtime.journal.launches().filter { !runtime.journal.isOwn($0) })
      let ids = runtime.journal.lastRecords(of: [.event], limit: 100).compactMap {
        try? JSONDecoder().decode(SdkHangEvent.self, from: Data($0.payload)).report?.reportId
      }
      told.withLock { $0 = ids }
      body(harness)
    }
    return told.withLock { $0 }
  }

  private func launch(_ directory: TemporaryDirectory, _ body: @escaping (SdkEventBuffer) -> Void) async throws {
    try await SdkHarness.launch(in: directory) { harness in
      body(try #require(harness.sdk.runtime).buffer)
    }
  }

  @Test func `a hang that did not end is told once`() async throws {
    let directory = try TemporaryDirectory()
    try await launch(directory) { buffer in
      buffer.record(SdkCustomEvent(name: "before"))
      buffer.keep(event("a"), as: .provisionalHang)
      buffer.keep(event("a"), as: .provisionalHang)
    }
    #expect(try await told(in: directory) == ["a"])
    #expect(try await told(in: directory) == [])
  }

  @Test func `a hang that ended is not told, nor one that was none`() async throws {
    let directory = try TemporaryDirectory()
    try await launch(directory) { buffer in
      buffer.keep(event("a"), as: .provisionalHang)
      buffer.record(event("a"))
      ProvisionalHang.end("a", in: buffer)
      buffer.keep(event("withdrawn"), as: .provisionalHang)
      ProvisionalHang.end("withdrawn", in: buffer)
    }
    #expect(try await told(in: directory) == [])
  }

  @Test func `killed between an event and the note of it, a launch has told`() async throws {
    let directory = try TemporaryDirectory()
    try await launch(directory) { buffer in
      buffer.keep(event("a"), as: .provisionalHang)
      buffer.record(event("a"))
    }
    #expect(try await told(in: directory) == [])
  }

  @Test func `a launch that was killed after it told of another's hang has told`() async throws {
    let directory = try TemporaryDirectory()
    try await launch(directory) { buffer in
      buffer.record(SdkCustomEvent(name: "before"))
      buffer.keep(event("a"), as: .provisionalHang)
    }
    // As far as a launch comes that dies before the note.
    try await launch(directory) { $0.record(event("a")) }
    #expect(try await told(in: directory) == [])
  }

  @Test func `of a launch with several hangs only the last can be open`() async throws {
    let directory = try TemporaryDirectory()
    try await launch(directory) { buffer in
      buffer.keep(event("a"), as: .provisionalHang)
      buffer.record(event("a"))
      ProvisionalHang.end("a", in: buffer)
      buffer.keep(event("b"), as: .provisionalHang)
    }
    #expect(try await told(in: directory) == ["b"])
  }

  @Test func `records that are no hangs are passed over`() async throws {
    let directory = try TemporaryDirectory()
    try await launch(directory) { buffer in
      buffer.record(SdkCustomEvent(name: "before"))
      for junk in ["", "{", "null", #"{"eventType":"hang"}"#, String(repeating: "[", count: 10_000)] {
        buffer.keep(Array(junk.utf8), as: .provisionalHang)
      }
    }
    #expect(try await told(in: directory) == [])
  }

  @Test func `a hang whose launch left no context is told all the same`() async throws {
    let directory = try TemporaryDirectory()
    try await launch(directory) { buffer in
      buffer.record(SdkCustomEvent(name: "before"))
      let json = try? JSONEncoder().encode(event("a"))
      buffer.keep(Array(json ?? Data()), as: .provisionalHang)
    }
    #expect(try await told(in: directory) == ["a"])
  }
}
