import AutoMobileJournal
import CAutoMobile
import Foundation
import TestTools
import Testing

@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder

@Suite struct CrashLaneTests {
  @Test func `a lane is read as it was written`() throws {
    let launch = LaunchID()
    var builder = LaneBuilder.crash(of: launch)
    builder.screen = "Checkout"
    let lane = try CrashLane(builder.bytes())
    #expect(lane.launch == launch)
    #expect(lane.isReport)
    #expect(lane.processName == "builder")
    #expect(lane.screen == "Checkout")
    #expect(lane.time == 1_700_000_000_000)
    #expect(lane.signal?.number == SIGSEGV)
    #expect(lane.images.map(\.name) == ["app", "lib.so"])
    #expect(lane.threads.map(\.name) == ["main", "worker"])
    #expect(lane.threads[0].registers.programCounter == 0x10_0123)
    #expect(lane.threads[0].status == 17)
    #expect(lane.notes == ["a note of the handler's"])
  }

  @Test func `a report says what happened, where, and in which images`() throws {
    let launch = LaunchID()
    let lane = try CrashLane(LaneBuilder.crash(of: launch).bytes())
    let report = CrashReportBuilder(lane: lane, reportId: launch.description).report()
    #expect(report.reportId == launch.description)
    #expect(report.kind == .signal)
    #expect(report.signal?.name == "SIGSEGV")
    #expect(report.signal?.codeName == "SEGV_MAPERR")
    #expect(report.signal?.address == CodeAddress(0x18))
    #expect(report.threads.count == 2)
    let crashed = try #require(report.principalThread)
    #expect(crashed.crashed && crashed.main)
    #expect(crashed.frames.map(\.address.rawValue) == [0x10_0123, 0x10_0456, 0x20_0789])
    #expect(crashed.frames.map(\.trust) == ["context", "fp", "fp"])
    #expect(crashed.registers?["rip"] == CodeAddress(0x10_0123))
    #expect(report.images.map(\.name) == ["app", "lib.so"])
    #expect(report.stackTrace.hasPrefix("0  app  0x100123 + 291\n1  app  0x100456 + 1110\n2  lib.so  "))
  }

  @Test func `an exception keeps its own stack beside that of the abort that followed`() throws {
    var builder = LaneBuilder(LaunchID())
    builder.images = [(0x10_0000, 0x2_0000, "/nowhere/app")]
    builder.exception("St13runtime_error", reason: "no such file", addresses: [0x10_0010, 0x10_0020], thread: 5)
    builder.signal(SIGABRT, code: -6)
    builder.thread(
      5, flags: Int(AM_THREAD_CRASHED), registers: (0..<18).map { $0 == 16 ? 0x10_0900 : 0 }, frames: [0x10_0901])
    let report = CrashReportBuilder(lane: try CrashLane(builder.bytes()), reportId: "r").report()
    #expect(report.kind == .exception)
    #expect(report.exception == .init(type: "std::runtime_error", reason: "no such file"))
    #expect(report.signal?.name == "SIGABRT")
    #expect(report.signal?.address == nil)
    #expect(report.threads.map(\.crashed) == [true, false])
    #expect(report.threads[0].frames.map(\.address.rawValue) == [0x10_0010, 0x10_0020])
    #expect(report.threads[1].frames.first?.address == CodeAddress(0x10_0900))
  }

  @Test(arguments: [
    ("St13runtime_error", "std::runtime_error"), ("7MyError", "MyError"), ("N3app4deep5ErrorE", "app::deep::Error"),
    ("N12_GLOBAL__N_14OuchE", "(anonymous namespace)::Ouch"), ("i", "i"), ("St6vectorIiSaIiEE", "St6vectorIiSaIiEE"),
    ("99short", "99short"), ("", ""), ("N", "N"), ("NSt3fooE", "std::foo"),
  ])
  func `names of C++ types are made readable, or left alone`(mangled: String, plain: String) {
    #expect(CppTypeName.plain(mangled) == plain)
  }

  @Test func `what is no lane says why`() {
    #expect(throws: CrashLaneError.tooShort(3)) { try CrashLane([1, 2, 3]) }
    #expect(throws: CrashLaneError.notALane) { try CrashLane([UInt8](repeating: 7, count: 5000)) }
    var bytes = LaneBuilder.crash(of: LaunchID()).bytes()
    bytes[72] = 99
    #expect(throws: CrashLaneError.unknownArchitecture(99)) { try CrashLane(bytes) }
  }

  @Test func `a lane whose handler died keeps what came before`() throws {
    var builder = LaneBuilder(LaunchID())
    builder.stage = UInt32(AM_LANE_ENTERED)
    let nothing = try CrashLane(builder.bytes())
    #expect(nothing.isReport)
    #expect(CrashReportBuilder(lane: nothing, reportId: "r").report().notes.contains { $0.contains("stopped before") })
    // The last section reaches beyond what was published.
    builder.signal(SIGBUS)
    var bytes = builder.bytes()
    bytes[136] -= 8
    let cut = try CrashLane(bytes)
    #expect(cut.signal == nil)
    #expect(cut.notes.contains("the report ends in the middle of a section"))
  }

  @Test func `a report never becomes too large`() throws {
    var builder = LaneBuilder(LaunchID())
    builder.images = [(0x10_0000, 0x2_0000, "/nowhere/" + String(repeating: "long", count: 100))]
    builder.signal(SIGSEGV)
    for thread in 0..<100 {
      builder.thread(
        UInt64(thread), flags: thread == 0 ? 1 : 0, registers: [UInt64](repeating: 0x10_0001, count: 18),
        frames: (0..<800).map { 0x10_0000 + UInt64($0) })
    }
    let lane = try CrashLane(builder.bytes())
    let crumbs = (0..<5000).map {
      Breadcrumb(category: .log, message: String(repeating: "x", count: 900), metadata: ["n": "\($0)"])
    }
    let report = CrashReportBuilder(lane: lane, reportId: "r", breadcrumbs: crumbs).report()
    let size = try withJSONObject {
      report.encodeFields(into: &$0)
    } body: {
      $0.count
    }
    #expect(size <= CrashReportBuilder.maximumSize)
    #expect(report.threads[0].frames.count > 200)
    #expect(report.threads[0].truncated)
    #expect(report.notes.contains { $0.contains("left out") })
    #expect(report.breadcrumbs?.last?.metadata["n"] == "4999")
  }

  /// Each round changes a few bytes, or the length, of a lane with real stacks in it.
  @Test func `damaged lanes neither trap nor spin`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed)
    let original = LaneBuilder.crash(of: LaunchID()).bytes()
    // Where there is something: the header, the images, the sections.
    let places = [0..<768, 4096..<4400, Int(AM_LANE_REPORT)..<Int(AM_LANE_REPORT) + 1200]
    for _ in 0..<400 * SeededRandom.rounds {
      var bytes = original
      for _ in 0..<Int(random.next() % 6 + 1) {
        let range = places[Int(random.next() % 3)]
        let at = range.lowerBound + Int(random.next() % UInt64(range.count))
        bytes[at] = random.next() % 3 == 0 ? 0xFF : UInt8(truncatingIfNeeded: random.next())
      }
      if random.next() % 8 == 0 { bytes = Array(bytes.prefix(Int(random.next() % UInt64(bytes.count)))) }
      guard let lane = try? CrashLane(bytes) else { continue }
      let report = CrashReportBuilder(lane: lane, reportId: "seed \(seed)").report()
      #expect(report.threads.count <= 65, "seed \(seed)")
    }
  }
}
