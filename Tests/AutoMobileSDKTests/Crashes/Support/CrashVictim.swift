#if os(macOS) || os(Linux)
@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder
import AutoMobileJournal
import CAutoMobile
import Foundation
import TestTools
import Testing

/// A run of the helper program that dies as it is told.
struct CrashVictim: Sendable {
  /// How it ended: by which signal, or with which code.
  enum End: Equatable, Sendable {
    case signal(Int32)
    case exit(Int32)
  }

  let end: End
  /// What it wrote on standard output.
  let output: String

  /// Which of its handlers were called, for which signals: without the addresses, which are others in each run.
  var calls: [String] {
    output.split(separator: "\n").map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
  }

  /// Runs it to its end.
  ///
  /// - Parameter backtraces: leaves Swift's own backtracer on.
  static func run(
    _ way: String, in directory: URL, _ options: [String] = [], backtraces: Bool = false
  ) async throws -> CrashVictim {
    let process = Process()
    process.executableURL = program
    process.arguments = [way, directory.path] + options
    var variables = ProcessInfo.processInfo.environment
    variables["SWIFT_BACKTRACE"] = backtraces ? "enable=yes,color=no,interactive=no,cache=no" : "enable=no"
    process.environment = variables
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle(forWritingAtPath: "/dev/null")
    let (ended, continuation) = AsyncStream<Void>.makeStream()
    process.terminationHandler = { _ in continuation.finish() }
    try process.run()
    // On a thread of its own: a read that blocks takes none from the other tests.
    let text = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(returning: output.fileHandleForReading.readDataToEndOfFile())
      }
    }
    for await _ in ended {}
    let status = process.terminationStatus
    return CrashVictim(
      end: process.terminationReason == .uncaughtSignal ? .signal(status) : .exit(status),
      output: String(decoding: text, as: UTF8.self))
  }

  static let program: URL = HelperProgram.named("crash-victim")
}

extension CrashVictim {
  /// The lanes that launches left in a directory, as reports are made of them.
  static func lanes(in directory: URL) throws -> [CrashLane] {
    let lanes = CrashLaneDirectory(url: directory)
    return try lanes.names().map { name in
      try CrashLane(try #require(lanes.read(name, limit: Int(AM_LANE_SIZE))).bytes)
    }
  }

  /// The report that the one launch in a directory left; nil when it left none.
  static func report(in directory: URL) throws -> DiagnosticReport? {
    let lanes = try lanes(in: directory).filter(\.isReport)
    #expect(lanes.count <= 1)
    return lanes.first.map { CrashReportBuilder(lane: $0, reportId: "report").report() }
  }
}

extension SdkHarness {
  /// The events that this launch has made of earlier launches' crashes.
  func crashesOfEarlierLaunches() throws -> [SdkCrashEvent] {
    let runtime = try #require(sdk.runtime)
    runtime.earlierLaunches.look()
    return try runtime.journal.tail(from: 0, maximumBytes: .max, maximumRecords: .max).records
      .filter { $0.kind == .event }.compactMap { try SdkEventDecoder.decode(Data($0.payload)) as? SdkCrashEvent }
  }
}

extension DiagnosticReport {
  var crashed: Thread? { threads.first { $0.crashed } }

  /// The innermost frame of a thread that lies in the victim itself.
  func victimFrame(of thread: Thread?) -> Frame? {
    thread?.frames.first { frame in
      frame.image.map { images[$0].name == "crash-victim" } ?? false
    }
  }
}
#endif
