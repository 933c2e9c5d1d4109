import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct StartRecordTests {
  /// How a launch ends.
  private enum End {
    case well
    /// In `initialize`, without a word.
    case calling
    /// Later in the start, without a word: Xcode's stop, the system, the user.
    case killed
    case ownFault
    case appCrash
  }

  private struct World {
    var record = StartRecord()
    private var process: Int32 = 100
    private var verdict: CrashVerdict?

    /// A launch that ends so, as long as the SDK does anything in it; how it was started.
    mutating func launch(_ end: (StartRecord.Mode) -> End, after: UInt32 = 5) -> StartRecord.Mode {
      process += 1
      let mode = record.begin(build: 1, process: process, verdict: verdict, isAlive: { _ in false }).mode
      verdict = nil
      guard mode != .off else { return mode }
      let end = end(mode)
      if end != .calling { record.returned(process) }
      switch end {
      case .well: record.end(process)
      case .ownFault: verdict = CrashVerdict(whose: .sdk, process: process, after: after)
      case .appCrash: verdict = CrashVerdict(whose: .app, process: process, after: after)
      case .calling, .killed: break
      }
      return mode
    }

    mutating func launches(_ ends: [End]) -> [StartRecord.Mode] { ends.map { end in launch { _ in end } } }
  }

  @Test(arguments: [true, false])
  func `after three deaths by its own fault it is safe for a launch, then tries again, and the pauses grow`(
    isReported: Bool
  ) {
    var world = World()
    // What it does less in safe mode is what it dies of.
    let modes = (0..<60).map { _ in world.launch { $0 == .safe ? .well : isReported ? .ownFault : .calling } }
    #expect(modes.prefix(5) == [.full, .full, .full, .safe, .full])
    #expect(modes.split(separator: .full).map(\.count).prefix(6) == [1, 2, 4, 8, 16, 16])
    #expect(
      modes[3...].split(separator: .safe).map(\.count).allSatisfy { $0 == 1 }, "after a pause one death is enough")
  }

  @Test func `when it dies in safe mode as well it stays off, with the same pauses`() {
    var world = World()
    let modes = (0..<60).map { _ in world.launch { _ in .ownFault } }
    #expect(modes.prefix(9) == [.full, .full, .full, .safe, .full, .safe, .off, .full, .off])
    #expect(!modes[6...].contains(.safe))
    #expect(modes.split(separator: .full).map(\.count).prefix(6) == [1, 2, 4, 8, 16, 16])
  }

  @Test func `whoever is killed later than in initialize says nothing against it, however often`() {
    var world = World()
    #expect(world.launches([End](repeating: .killed, count: 50)).allSatisfy { $0 == .full })
  }

  @Test func `the app's crashes say nothing against it, and forgive`() {
    var world = World()
    #expect(world.launches([End](repeating: .appCrash, count: 50)).allSatisfy { $0 == .full })
    #expect(world.launches([.ownFault, .ownFault, .appCrash, .ownFault, .ownFault, .well]).allSatisfy { $0 == .full })
  }

  @Test func `a start that succeeds begins anew, and a kill in between does not`() {
    var world = World()
    #expect(world.launches([.ownFault, .calling, .well, .ownFault, .ownFault, .well]).allSatisfy { $0 == .full })
    #expect(world.launches([.ownFault, .killed, .ownFault, .killed, .ownFault, .killed]).last == .safe)
    var other = World()
    #expect(other.launches([.ownFault, .ownFault, .ownFault, .appCrash, .ownFault, .ownFault]).prefix(4).last == .safe)
    #expect(other.record.pause == 2, "a crash of the app's in safe mode says nothing of what safe mode leaves out")
  }

  @Test func `a fault of its own long after the start is none of the start`() {
    var world = World()
    for _ in 0..<10 {
      #expect(world.launch({ _ in .ownFault }, after: 60_000) == .full || world.record.deaths > 0)
    }
    var record = StartRecord()
    for process in Int32(1)...10 {
      let before = process > 1 ? CrashVerdict(whose: .sdk, process: process - 1, after: 60_000) : nil
      #expect(record.begin(build: 1, process: process, verdict: before, isAlive: { _ in false }).mode == .full)
      record.returned(process)
      record.end(process)
    }
  }

  @Test func `another version is tried at once`() {
    var world = World()
    _ = world.launches([.calling, .calling, .calling])
    #expect(world.record.begin(build: 2, process: 7, isAlive: { _ in false }).mode == .full)
  }

  @Test func `a process that is starting at the same time has not died`() {
    var record = StartRecord()
    for process in Int32(1)...10 {
      #expect(record.begin(build: 1, process: process, isAlive: { _ in true }).mode == .full)
    }
    #expect(record.deaths == 0)
    record.end(3)
    #expect(record.progress == .calling && record.process == 10, "it is not the third one's mark any more")
  }

  @Test func `what is said about another process is not believed`() {
    var record = StartRecord()
    _ = record.begin(build: 1, process: 1, isAlive: { _ in false })
    record.returned(1)
    let other = CrashVerdict(whose: .sdk, process: 9, after: 1)
    _ = record.begin(build: 1, process: 2, verdict: other, isAlive: { _ in false })
    #expect(record.deaths == 0)
  }

  @Test func `it is read as it was written, and not at all when it is damaged`() throws {
    var record = StartRecord(
      build: .max, deaths: 3, safeDeaths: 1, off: 2, pause: 4, process: 77, progress: .background, mode: .safe,
      stage: "crash reports")
    #expect(record.encoded.count == StartRecord.verdictOffset)
    #expect(StartRecord.verdictOffset + CrashVerdict.size <= StartRecord.size)
    #expect(record.encoded.withUnsafeBytes { StartRecord($0) } == record)
    for index in record.encoded.indices {
      var damaged = record.encoded
      damaged[index] ^= 0x20
      #expect(damaged.withUnsafeBytes { StartRecord($0) } == nil)
    }
    #expect([UInt8]().withUnsafeBytes { StartRecord($0) } == nil)
    record.stage = String(repeating: "ü", count: 100)
    #expect(record.encoded.count == StartRecord.verdictOffset)
    #expect(record.encoded.withUnsafeBytes { StartRecord($0) }?.stage.hasPrefix("üüü") == true)
  }

  @Test func `so is the crash handler's word`() {
    let verdict = CrashVerdict(whose: .sdk, process: 4711, after: 250)
    #expect(verdict.encoded.count == CrashVerdict.size)
    #expect(verdict.encoded.withUnsafeBytes { CrashVerdict($0) } == verdict)
    for index in verdict.encoded.indices {
      var damaged = verdict.encoded
      damaged[index] ^= 0x20
      #expect(damaged.withUnsafeBytes { CrashVerdict($0) } == nil)
    }
    #expect([UInt8](repeating: 0, count: 20).withUnsafeBytes { CrashVerdict($0) } == nil)
  }
}
