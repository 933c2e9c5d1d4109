import AutoMobileSDK
import Foundation

/// Another process of this program, with an SDK of its own: it is told in lines what to do, and answers each with one.
final class UploadChild {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Nil when it cannot be started.
  init?(_ arguments: [String]) {
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = arguments + (Measurement.isShort ? ["--short"] : [])
    process.standardInput = input
    process.standardOutput = output
    guard (try? process.run()) != nil else { return nil }
  }

  /// The numbers of its next line; nil when it has ended without one.
  func numbers() -> [Double]? {
    var line = Data()
    while let byte = try? output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty, byte[byte.startIndex] != 10 {
      line += byte
    }
    let numbers = String(decoding: line, as: UTF8.self).split(separator: " ").compactMap { Double($0) }
    return numbers.isEmpty ? nil : numbers
  }

  func ask(_ question: String) -> [Double]? {
    guard (try? input.fileHandleForWriting.write(contentsOf: Data((question + "\n").utf8))) != nil else { return nil }
    return numbers()
  }

  /// - Returns: whether it ended as it should.
  func end() -> Bool {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    return process.terminationReason == .exit && process.terminationStatus == 0
  }

  /// The child's side: a line of numbers.
  static func say(_ numbers: Double...) {
    print(numbers.map { String($0) }.joined(separator: " "))
    fflush(nil)
  }

  /// The child's side: returns when something holds; ends the process when it does not in five minutes.
  static func wait(_ what: String, pause: useconds_t = 1000, until holds: () -> Bool) {
    let deadline = DispatchTime.now().uptimeNanoseconds + 300_000_000_000
    while !holds() {
      guard DispatchTime.now().uptimeNanoseconds < deadline else {
        FileHandle.standardError.write(Data("waited in vain: \(what); \(AutoMobileSDK.shared.diagnostics)\n".utf8))
        exit(3)
      }
      usleep(pause)
    }
  }

  /// What the process has had of processors until now, in nanoseconds.
  static func processorTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

extension AutoMobileConfiguration {
  /// As on a phone, to a receiver that is not this machine; what leaves it is nobody's but the benchmark's.
  ///
  /// - Parameter intervalMs: from one delivery to the next.
  static func bench(_ directory: String, _ url: String, _ upload: UploadPolicy, intervalMs: Int) -> Self {
    AutoMobileConfiguration(
      endpoint: URL(string: url), storage: .directory(URL(fileURLWithPath: directory, isDirectory: true)),
      journalBudget: 512 << 20, postsBatchNotifications: false, remoteCommands: .none,
      delivery: DeliveryPolicy(
        intervalMs: intervalMs, maximumBytesPerHour: .max, maximumRequestsPerHour: .max), upload: upload)
  }
}
