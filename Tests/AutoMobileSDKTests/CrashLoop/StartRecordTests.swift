import Foundation
import Testing

@testable import AutoMobileSDK

@Suite struct StartRecordTests {
  /// Launches one after the other, each of which dies in its start or does not; which of them started.
  private func launches(_ deaths: [Bool], _ record: inout StartRecord) -> [Bool] {
    deaths.enumerated().map { number, dies in
      let process = Int32(100 + number)
      guard record.begin(build: 1, process: process, isAlive: { _ in false }) == .start else { return false }
      if !dies { record.end(process: process) }
      return true
    }
  }

  @Test func `after three deaths in a row a launch is left out, then one is tried, and the pauses grow`() {
    var record = StartRecord()
    let started = launches([Bool](repeating: true, count: 60), &record)
    let pauses = started.split(separator: true).map(\.count)
    #expect(started.prefix(5) == [true, true, true, false, true])
    #expect(pauses.prefix(6) == [1, 2, 4, 8, 16, 16])
    let tries = started[3...].split(separator: false).map(\.count)
    #expect(tries.allSatisfy { $0 == 1 }, "after a pause one death is enough")
  }

  @Test func `a start that succeeds begins anew`() {
    var record = StartRecord()
    #expect(launches([true, true, false, true, true, false], &record).allSatisfy { $0 })
    #expect(launches([true, true, true, true], &record) == [true, true, true, false])
    #expect(launches([false, true, true, true, true], &record) == [true, true, true, true, false])
    #expect(record.pause == 1, "not twice as long as before")
  }

  @Test func `another version is tried at once`() {
    var record = StartRecord()
    _ = launches([true, true, true], &record)
    #expect(record.begin(build: 2, process: 7, isAlive: { _ in false }) == .start)
  }

  @Test func `a process that is starting at the same time has not died`() {
    var record = StartRecord()
    for process in Int32(1)...10 {
      #expect(record.begin(build: 1, process: process, isAlive: { _ in true }) == .start)
    }
    #expect(record.deaths == 0)
    record.end(process: 3)
    #expect(record.starting == 10, "it is not the third one's marker any more")
  }

  @Test func `deaths that were not the SDK's are forgiven`() {
    var record = StartRecord()
    _ = launches([true, true], &record)
    #expect(record.begin(build: 1, process: 9, isAlive: { _ in false }) == .start)
    record.forgive()
    #expect(record.begin(build: 1, process: 10, isAlive: { _ in false }) == .start)
    #expect(record.deaths == 1)
  }

  @Test func `it is read as it was written, and not at all when it is damaged`() throws {
    var record = StartRecord(build: .max, deaths: 3, off: 2, pause: 4, starting: 77, stage: "crash reports")
    #expect(record.encoded.count == StartRecord.size)
    #expect(record.encoded.withUnsafeBytes { StartRecord($0) } == record)
    for index in record.encoded.indices {
      var damaged = record.encoded
      damaged[index] ^= 0x20
      #expect(damaged.withUnsafeBytes { StartRecord($0) } == nil)
    }
    #expect([UInt8]().withUnsafeBytes { StartRecord($0) } == nil)
    record.stage = String(repeating: "ü", count: 100)
    #expect(record.encoded.count == StartRecord.size)
    #expect(record.encoded.withUnsafeBytes { StartRecord($0) }?.stage.hasPrefix("üüü") == true)
  }
}
