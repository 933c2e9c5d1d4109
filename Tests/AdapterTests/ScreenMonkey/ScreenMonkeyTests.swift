import Foundation
import Testing
import UIKit

@testable import AutoMobileReplay

/// Whatever happens to screens, the secret is in no picture and in no file.
@MainActor @Suite(.serialized) struct `The monkey of screens` {
  private static let isSoak = ProcessInfo.processInfo.environment["AUTOMOBILE_SOAK"] != nil
  /// To repeat one that failed.
  private static let seed = ProcessInfo.processInfo.environment["SCREEN_MONKEY_SEED"].flatMap { UInt64($0) }
  /// Of each run.
  private static let frames = 1000

  @Test func `finds the secret in no frame and in no file`() throws {
    // One for each choice of what is masked; a soak goes on with them for long.
    let seeds = Self.seed.map { [$0] } ?? Array(0..<(Self.isSoak ? 300 : 8))
    var kinds: Set<SecretKind> = []
    for seed in seeds {
      let findings = try ScreenMonkey(seed: seed).run(frames: Self.frames)
      print("screen monkey, seed \(seed): \(findings)")
      #expect(
        findings.leaks.isEmpty && findings.files.isEmpty, "SCREEN_MONKEY_SEED=\(seed): \(findings.leaks.prefix(5))")
      #expect(findings.exposed > findings.frames / 4 && findings.uncertain > 0 && findings.isTold)
      kinds.formUnion(findings.kinds)
    }
    if Self.seed == nil { #expect(kinds.count == SecretKind.allCases.count) }
  }
}
