import AutoMobileJournal
import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Reads what an earlier launch left, and has it decided what ended it.
struct LaunchEndReader: Sendable {
  struct Found {
    var end: PreviousLaunchEnd
    /// What the launch was like when it was last seen.
    var state: LaunchState?
  }

  /// A launch that was seen at work in the foreground this long before the device started anew did not end by that, in
  /// milliseconds: the longest without a record, and some.
  private static let longBeforeBoot: Int64 = 5 &* LaunchStateWriter.heartbeatMs

  let journal: Journal
  let evidence: CrashEvidence
  /// What this launch is like, as far as it does not change.
  let facts: LaunchState
  let isDesktop: Bool
  /// How often the kernel has ended a process of this group for its memory; nil when it does not count that.
  let kills: UInt64?
  /// When the device was started, in milliseconds since 1970, by this moment's clock.
  let bootTime: Int64

  /// Whether a launch is one of this app's, and not of another that shares the directory.
  func isOurs(_ launch: LaunchID) -> Bool {
    guard let state = LaunchState.last(1, of: launch, in: journal).last else { return true }
    return state.bundleId == facts.bundleId
  }

  /// - Parameter later: the launches after it that are over as well, oldest first.
  func end(of launch: LaunchID, before later: [LaunchID]) -> Found {
    let state = LaunchState.last(1, of: launch, in: journal).last
    let next = next(after: state, later) ?? facts
    let crash = evidence.crash(of: launch, before: later)
    let hang = hang(of: launch)
    var signs = LaunchEndSigns(isDesktop: isDesktop)
    signs.hasCrashReport = crash != nil
    signs.capturesCrashes = state?.capturesCrashes ?? false
    signs.wasHanging = hang != nil
    signs.stage = state?.stage
    signs.exit = state?.exit
    if let state {
      signs.memory = state.memory.level
      signs.wasTraced = state.isTraced
      signs.boot = boot(of: state, next: next)
      if signs.boot == .same, let then = state.memory.kills, let kills { signs.wasKilledForMemory = kills > then }
      let isComparable = state.bundleId == next.bundleId
      signs.appWasUpdated = isComparable && Self.differ(state.appVersion, next.appVersion)
      signs.systemWasUpdated = Self.differ(state.osVersion, next.osVersion)
    }
    let (verdict, reason) = LaunchEndDecision.decide(signs)
    var text = reason
    switch verdict {
    case .crash: text += crash.map { ": \($0)" } ?? ""
    case .hangKill: text += hang.map { " for \($0) ms when last checked" } ?? ""
    case .outOfMemory: text += state.map { ": \($0.memory.description)" } ?? ""
    case .updated: text += state.map { ": \(Self.change($0, next))" } ?? ""
    default: break
    }
    let end = PreviousLaunchEnd(
      verdict: verdict, evidence: text, launchId: launch.description, lastSeen: state?.time)
    return Found(end: end, state: state)
  }

  /// What the launch after it was like when it began: what changed later is no reason for this end.
  private func next(after state: LaunchState?, _ later: [LaunchID]) -> LaunchState? {
    for launch in later {
      if let first = LaunchState.last(64, of: launch, in: journal).first, first.bundleId == state?.bundleId {
        return first
      }
    }
    return nil
  }

  private func boot(of state: LaunchState, next: LaunchState) -> LaunchEndSigns.Boot {
    guard let then = state.boot, let now = next.boot else { return .unknown }
    if then == now { return .same }
    guard now == facts.boot, state.stage != .background else { return .changed }
    let (gap, overflow) = bootTime.subtractingReportingOverflow(state.time)
    return !overflow && gap > Self.longBeforeBoot ? .changedLater : .changed
  }

  /// How long the main thread had been hanging, in milliseconds; nil when it was not.
  private func hang(of launch: LaunchID) -> Int64? {
    guard let last = journal.lastRecords(of: [.provisionalHang], limit: 1, launch: launch).last,
      let hang = try? JSONDecoder().decode(ProvisionalHang.self, from: Data(last.payload)), hang.ended == nil
    else { return nil }
    return max(0, Int64(saturating: hang.durationMs ?? 0))
  }

  private struct ProvisionalHang: Decodable {
    var ended: String?
    var durationMs: Double?

    init(from decoder: any Decoder) throws {
      let members = try MemberReader(decoder)
      ended = members.value("ended")
      durationMs = members.value("durationMs")
      try members.end()
    }
  }

  private static func differ(_ then: String?, _ now: String?) -> Bool {
    guard let then, let now else { return false }
    return then != now
  }

  private static func change(_ then: LaunchState, _ now: LaunchState) -> String {
    let app = differ(then.appVersion, now.appVersion)
    let (old, new) = app ? (then.appVersion, now.appVersion) : (then.osVersion, now.osVersion)
    return "\(old ?? "?") → \(new ?? "?")"
  }
}
