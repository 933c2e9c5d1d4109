import Foundation
import Testing
import UIKit

@testable import AutoMobileReplay

/// Whatever happens to screens, the secret is in no picture and in no file.
@MainActor @Suite(.serialized) struct `The monkey of screens` {
  /// 8 in `make test`, 300 in `make soak`, in its short form as many as are named.
  private static let runs: UInt64 = {
    let variables = ProcessInfo.processInfo.environment
    return variables["SCREEN_MONKEY_RUNS"].flatMap { UInt64($0) } ?? (variables["AUTOMOBILE_SOAK"] == nil ? 8 : 300)
  }()
  /// To repeat one that failed.
  private static let seed = ProcessInfo.processInfo.environment["SCREEN_MONKEY_SEED"].flatMap { UInt64($0) }
  /// Of each run.
  private static let frames = ProcessInfo.processInfo.environment["AUTOMOBILE_SOAK"] == nil ? 500 : 1000

  @Test func `finds the secret in no frame and in no file`() throws {
    // One for each choice of what is masked; a soak goes on with them for long.
    let seeds = Self.seed.map { [$0] } ?? Array(0..<Self.runs)
    var all = ScreenMonkey.Findings()
    for seed in seeds {
      let findings = try ScreenMonkey(seed: seed).run(frames: Self.frames)
      print("screen monkey, seed \(seed): \(findings)")
      #expect(
        findings.isClean, "SCREEN_MONKEY_SEED=\(seed): \(findings.leaks.prefix(5)), \(findings.tellingTaps.prefix(5))")
      #expect(findings.hits > findings.frames / 4)
      #expect(findings.exposed > findings.frames / 4 && findings.uncertain > 0 && findings.isTold)
      all.add(findings)
    }
    print("screen monkey, \(seeds.count) runs: \(all)")
    if Self.seed == nil { #expect(all.kinds.count == SecretKind.allCases.count) }
  }

  /// With what was wrong once, it finds it.
  @Test(arguments: [ScreenMonkey.Fault.ignoresAnimations, .forgets])
  func `finds it when a fault is put back`(fault: ScreenMonkey.Fault) throws {
    var all = ScreenMonkey.Findings()
    for seed in UInt64(0)..<4 { all.add(try ScreenMonkey(seed: seed, fault: fault).run(frames: 300)) }
    print("screen monkey, \(fault.rawValue): \(all)")
    #expect(all.leaks.count > 10)
  }
}

extension ScreenMonkey.Findings {
  mutating func add(_ other: Self) {
    frames += other.frames
    secrets += other.secrets
    exposed += other.exposed
    uncertain += other.uncertain
    kinds.formUnion(other.kinds)
    leaks += other.leaks
    files += other.files
    taps += other.taps
    hits += other.hits
    tellingTaps += other.tellingTaps
  }
}
