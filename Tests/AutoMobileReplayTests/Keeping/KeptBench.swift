import AutoMobileSDK
import AutoMobileSupport
import Foundation
import ReplayTesting
import Testing

@testable import AutoMobileReplay

/// A recorder of which only what is named is sent, without an SDK: the test says what rules and asks would.
struct KeptBench {
  static let launch = "this launch"

  let server: ReplayServer
  let temporary: TemporaryDirectory
  let stretches: ReplayStretches
  let studio: Studio
  /// When it begins, in milliseconds since 1970.
  let start: Int64

  init(
    _ holding: ReplayStretches.Holding = .named(keepDays: 7),
    change: @escaping @Sendable (inout ReplayServices) -> Void = { _ in }
  ) throws {
    server = try ReplayServer()
    temporary = try TemporaryDirectory()
    // The studio's clock is not the machine's.
    let stretches = ReplayStretches(url: nil, holding: holding, wall: { 0 })
    self.stretches = stretches
    studio = Studio(server, in: temporary) { services in
      services.launch = Self.launch
      services.stretches = stretches
      change(&services)
    }
    start = studio.clock.now.wall
  }

  /// - Parameters:
  ///   - seconds: since the beginning.
  ///   - launch: whose.
  func name(_ seconds: ClosedRange<Double>, in launch: String = launch) {
    let times = (start + Int64(seconds.lowerBound * 1000))...(start + Int64(seconds.upperBound * 1000))
    stretches.name(times, in: launch)
  }

  /// A frame a second, each tenth a key frame, for so many seconds.
  func record(seconds: Int) {
    for _ in 0..<seconds {
      let time = studio.clock.now.wall
      studio.capture.deliver(frame(time, isKey: (time - start) / 1000 % 10 == 0))
      studio.clock.advance(1000)
    }
  }

  /// When the segments of frames begin that have arrived, in seconds since the beginning.
  var arrived: [Int64] { Set(frameTimes.map { $0 / 10 * 10 }).sorted() }

  /// When the frames are from that have arrived, in seconds since the beginning.
  var frameTimes: [Int64] {
    server.uploaded.filter { $0.kind == "screenshots" }
      .flatMap { frames(in: $0.content) ?? [] }.map { ($0.timestamp - start) / 1000 }.sorted()
  }

  var hasSentNothing: Bool { Set(server.steps).isSubset(of: [.config, .auth]) }

  /// What is left on the device.
  var sessions: [SessionDirectory] { SessionDirectory.all(in: studio.root) }
}

extension ReplayStretches {
  func name(_ times: ClosedRange<Int64>, in launch: String) {
    add(.add(name: "rule:test \(times)", from: times.lowerBound, to: times.upperBound), in: launch)
    save()
  }
}
