import Testing

@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder

/// The decision over everything that can be known, and one line for each rule.
@Suite struct LaunchEndDecisionTests {
  typealias Verdict = PreviousLaunchEnd.Verdict

  /// Every combination of signs: 49 152 of them.
  private static let all: [LaunchEndSigns] = {
    var all = [LaunchEndSigns()]
    func vary<Value>(_ path: WritableKeyPath<LaunchEndSigns, Value>, _ values: [Value]) {
      all = all.flatMap { signs in
        values.map { value in
          var signs = signs
          signs[keyPath: path] = value
          return signs
        }
      }
    }
    vary(\.hasCrashReport, [false, true])
    vary(\.capturesCrashes, [false, true])
    vary(\.wasHanging, [false, true])
    vary(\.stage, LaunchState.Stage.allCases + [nil])
    vary(\.memory, MemoryUse.Level.allCases)
    vary(\.wasKilledForMemory, [false, true])
    vary(\.wasTraced, [false, true])
    vary(\.exit, LaunchState.Exit.allCases + [nil])
    vary(\.boot, LaunchEndSigns.Boot.allCases)
    vary(\.appWasUpdated, [false, true])
    vary(\.systemWasUpdated, [false, true])
    vary(\.isDesktop, [false, true])
    return all
  }()

  @Test func `for everything that can be known there is one verdict, with a sign that speaks for it`() {
    #expect(Self.all.count == 2 * 2 * 2 * 4 * 3 * 2 * 2 * 4 * 4 * 2 * 2 * 2)
    var seen: [Verdict: Int] = [:]
    var wrong: [LaunchEndSigns] = []
    for signs in Self.all {
      let (verdict, evidence) = LaunchEndDecision.decide(signs)
      seen[verdict, default: 0] += 1
      let isSupported: Bool
      switch verdict {
      case .crash: isSupported = signs.hasCrashReport
      case .cleanExit: isSupported = signs.exit != nil
      case .hangKill: isSupported = signs.wasHanging
      case .outOfMemory: isSupported = signs.wasKilledForMemory || signs.memory != .normal
      case .updated: isSupported = signs.appWasUpdated || signs.systemWasUpdated
      case .rebooted: isSupported = signs.boot == .changed
      case .debugger: isSupported = signs.wasTraced
      case .userKill: isSupported = signs.exit == .announced || signs.capturesCrashes
      case .unknown: isSupported = signs.stage == nil || (!signs.wasHanging && !signs.wasTraced)
      }
      if !isSupported || evidence.isEmpty { wrong.append(signs) }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(3))")
    #expect(Set(seen.keys) == Set(Verdict.allCases), "each verdict can come about")
  }

  @Test func `what is certain comes before what is likely`() {
    let wrong = Self.all.filter { signs in
      guard let certain = certain(signs) else { return false }
      return LaunchEndDecision.decide(signs).verdict != certain
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(3))")
  }

  private func certain(_ signs: LaunchEndSigns) -> Verdict? {
    if signs.hasCrashReport { return .crash }
    if signs.exit == .exit || signs.exit == .shutdown { return .cleanExit }
    if signs.stage == nil { return .unknown }
    if signs.wasKilledForMemory { return .outOfMemory }
    if signs.boot == .changed { return signs.systemWasUpdated ? .updated : .rebooted }
    if signs.wasTraced { return .debugger }
    if signs.memory == .critical, signs.stage != .background { return .outOfMemory }
    return signs.wasHanging ? .hangKill : nil
  }

  @Test func `what is ruled out in words was not seen`() {
    let wrong = Self.all.filter { signs in
      let evidence = LaunchEndDecision.decide(signs).evidence
      guard evidence.contains("no crash") else { return false }
      return signs.hasCrashReport || !signs.capturesCrashes || signs.wasHanging
        || (evidence.contains("memory pressure") && signs.memory != .normal)
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(3))")
  }

  @Test func `nobody is blamed for an end that nothing speaks for`() {
    let blamed = Self.all.filter { $0.exit != .announced && LaunchEndDecision.decide($0).verdict == .userKill }
    #expect(blamed.allSatisfy { $0.capturesCrashes })
    #expect(blamed.allSatisfy { $0.isDesktop || $0.stage == .inactive }, "an app in use cannot be swiped away")
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var verdict: Verdict
    var signs: LaunchEndSigns

    init(_ name: String, _ verdict: Verdict, _ change: (inout LaunchEndSigns) -> Void) {
      testDescription = name
      self.verdict = verdict
      signs = LaunchEndSigns()
      change(&signs)
    }
  }

  static let rows: [Row] = [
    Row("a crash, whatever else", .crash) {
      $0.hasCrashReport = true
      $0.wasTraced = true
      $0.exit = .exit
      $0.memory = .critical
    },
    Row("exit during a hang", .cleanExit) {
      $0.exit = .exit
      $0.wasHanging = true
    },
    Row("a hang, in the background", .hangKill) {
      $0.stage = .background
      $0.wasHanging = true
    },
    Row("a hang on a traced process", .debugger) {
      $0.wasTraced = true
      $0.wasHanging = true
    },
    Row("a hang, then an update", .hangKill) {
      $0.wasHanging = true
      $0.appWasUpdated = true
    },
    Row("memory critical in the foreground", .outOfMemory) { $0.memory = .critical },
    Row("memory critical in the foreground, then an update", .outOfMemory) {
      $0.memory = .critical
      $0.appWasUpdated = true
    },
    Row("memory short in the background of a phone", .outOfMemory) {
      $0.memory = .warning
      $0.stage = .background
    },
    Row("memory short on a desktop", .userKill) {
      $0.memory = .warning
      $0.isDesktop = true
    },
    Row("an update of the app", .updated) {
      $0.appWasUpdated = true
      $0.stage = .background
    },
    Row("an update of the system", .updated) {
      $0.systemWasUpdated = true
      $0.boot = .changed
    },
    Row("a new boot", .rebooted) { $0.boot = .changed },
    Row("memory critical, and a new boot a day later", .outOfMemory) {
      $0.boot = .changedLater
      $0.memory = .critical
    },
    Row("swiped away while in use", .userKill) { $0.exit = .announced },
    Row("swiped away in the app switcher", .userKill) { $0.stage = .inactive },
    Row("quit on a desktop", .cleanExit) {
      $0.exit = .announced
      $0.isDesktop = true
    },
    Row("killed on a desktop", .userKill) { $0.isDesktop = true },
    Row("killed on a desktop, with crashes not captured", .unknown) {
      $0.isDesktop = true
      $0.capturesCrashes = false
    },
    Row("gone from the background of a phone", .unknown) { $0.stage = .background },
    Row("gone while in use on a phone", .unknown) { _ in },
    Row("nothing left", .unknown) { $0.stage = nil },
  ]

  @Test(arguments: rows) func `each rule`(row: Row) {
    #expect(LaunchEndDecision.decide(row.signs).verdict == row.verdict)
  }
}
