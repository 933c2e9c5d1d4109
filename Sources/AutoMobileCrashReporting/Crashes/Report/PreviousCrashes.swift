import AutoMobileJournal
import AutoMobileRecorder
import AutoMobileSupport
import CAutoMobile
import Foundation

/// Makes the one event of each crash of an earlier launch, out of the lane that its crash handler left.
///
/// **Exactly once.** The event is durable in this launch's journal before its lane goes. In between, this process may be
/// killed; so before recording, the lane takes this launch's name into its own (`<crashed>@<this>.crash`), and whoever
/// finds such a lane looks first whether that launch recorded the event. It must still be there: nothing that a launch
/// recorded is delivered, and so removed, before the lanes that bear its name have been dealt with (`EarlierLaunches`).
///
/// | killed | the next launch finds | and |
/// |---|---|---|
/// | before the lane is renamed | the lane as it was | records the event |
/// | before the event is recorded, or while it is | a lane with a name, and no event | records the event |
/// | before the lane is removed | a lane with a name, and the event | removes the lane |
///
/// Sendable: what changes has a lock.
package final class PreviousCrashes: Sendable {
  /// What was found out about an earlier launch. A class: a value of this size, twice in a dictionary's code, is ten kilobytes.
  final class Finding: Sendable {
    /// Of its crash; nil when there was none.
    let event: SdkCrashEvent?
    var report: DiagnosticReport? { event?.report }

    init(_ event: SdkCrashEvent? = nil) { self.event = event }
  }

  private struct State {
    var findings: [LaunchID: Finding] = [:]
    var hasLooked = false
    var failure: String?
  }

  private let journal: Journal
  private let recorder: EventRecorder
  private let lanes: CrashLaneDirectory
  private let bundleId: String?
  private let maxBreadcrumbs: Int
  private let state = Locked(State())

  /// More reports than these are those of an app that crashes again and again, too fast for any to be told: the oldest go.
  static let maximumReports = 16
  /// Of attempts at a lane, those that walk stacks, and all. An attempt that did not come to its end is mostly the app's
  /// doing, which dies at its start again and again: so there are many, and the later ones are short.
  static let carefulAttempts: UInt64 = 2
  static let maximumAttempts: UInt64 = 12

  init(journal: Journal, recorder: EventRecorder, directory: URL, bundleId: String?, maxBreadcrumbs: Int) {
    self.journal = journal
    self.recorder = recorder
    self.bundleId = bundleId
    self.maxBreadcrumbs = maxBreadcrumbs
    lanes = CrashLaneDirectory(url: directory)
  }

  /// What was found in the lane of a launch; nil when it had none, or nobody has looked yet.
  func finding(of launch: LaunchID) -> Finding? { state.withLock { $0.findings[launch] } }

  /// The last crash of an earlier launch that this launch has found.
  var latest: SdkCrashEvent? {
    state.withLock { $0.findings.values.compactMap(\.event).max { $0.timestamp < $1.timestamp } }
  }

  /// Knows of none any more.
  func forget() { state.withLock { $0.findings = [:] } }

  /// Whether this launch has looked for crashes.
  var hasLooked: Bool { state.withLock { $0.hasLooked } }

  /// Why a report could not be made; nil when there was no difficulty.
  var failure: String? { state.withLock { $0.failure } }

  /// Deals with the lanes that earlier launches left. Reads the disk, and takes its time: on a queue in the background.
  func look() {
    defer { state.withLock { $0.hasLooked = true } }
    // What is only in memory would be lost with this process, and the lane with it.
    if case .memory = journal.status { return }
    let names = lanes.names().filter { $0.launch != journal.launch }
    guard !names.isEmpty else { return }
    let owners = Owners(journal, lanes.url)
    let reports = names.filter { isOver($0, owners) }
      .compactMap { name in reportHead(name, owners).map { (name: name, created: $0.created) } }
      .ordered { ($0.created, $0.name.text) < ($1.created, $1.name.text) }
    for report in reports.dropLast(Self.maximumReports) {
      journal.countLoss(.evicted)
      lanes.finish(report.name)
    }
    for report in reports.suffix(Self.maximumReports) { deal(with: report.name) }
  }

  /// The beginning of a lane that has a report; the others are dealt with at once.
  private func reportHead(_ name: CrashLaneName, _ owners: Owners) -> CrashLane? {
    guard let bytes = lanes.read(name, limit: Int(AM_LANE_IMAGES))?.bytes else { return nil }
    // Made, and not used: the process ended at once.
    if bytes.allSatisfy({ $0 == 0 }) {
      lanes.finish(name)
      return nil
    }
    do {
      let lane = try CrashLane(bytes)
      if !owners.know(name.launch), name.claimer == nil, lane.process.isAlive, !lane.process.isCurrent { return nil }
      if lane.isReport, !lanes.isFinished(name) { return lane }
      state.withLock { $0.findings[name.launch] = $0.findings[name.launch] ?? Finding() }
      lanes.finish(name)
    } catch {
      setAside(name, "\(error)")
    }
    return nil
  }

  private func deal(with name: CrashLaneName) {
    if let claimer = name.claimer, claimer != journal.launch,
      let event = RecordedCrash.find(name.launch, recordedBy: claimer, in: lanes.url)
    {
      note(event, of: name.launch)
      return lanes.finish(name)
    }
    guard let (bytes, modified) = lanes.read(name, limit: Int(AM_LANE_SIZE)), let lane = try? CrashLane(bytes) else {
      return
    }
    record(lane, name, modified: modified)
  }

  private func record(_ lane: CrashLane, _ name: CrashLaneName, modified: Int64) {
    let attempt = lanes.noteAttempt(name)
    guard attempt <= Self.maximumAttempts else {
      return setAside(name, "a crash report could not be written in \(Self.maximumAttempts) launches")
    }
    let crashed = crashedLaunch(name.launch)
    let event = CrashEventMaker(launch: crashed, bundleId: bundleId, modified: modified)
      .event(lane, care: attempt <= Self.carefulAttempts ? .full : .handlerOnly)
    note(event, of: name.launch)
    guard let claimed = lanes.claim(name, by: journal.launch) else { return }
    switch recorded(event, crashed) {
    case .recorded, .unwanted: lanes.finish(claimed)
    case .off, .failed: lanes.forgetAttempts(claimed)
    }
  }

  /// A segment that is about to be made ready is worth some waiting.
  private func recorded(_ event: SdkCrashEvent, _ crashed: CrashEventMaker.CrashedLaunch) -> RecordOutcome {
    let members = crashed.context.flatMap { $0.withUnsafeBytes { ContextExpander.Members(contextRecord: $0) } }
    for _ in 0..<100 {
      let outcome = recorder.record(event, of: crashed.id, in: members ?? .none)
      guard outcome == .failed else { return outcome }
      usleep(5000)
    }
    return .failed
  }

  private func crashedLaunch(_ launch: LaunchID) -> CrashEventMaker.CrashedLaunch {
    // A crash in the background, after the session's time was up, is shown with that session: it is what came before.
    let contexts = journal.lastRecords(of: [.context], limit: 256, launch: launch).map(\.payload)
    let context = contexts.last { CrashedContext($0)?.sessionId != nil } ?? contexts.last
    // More than are kept for the report, to find the screen.
    let trail = JournalBreadcrumbs(journal: journal, limit: max(maxBreadcrumbs, 1000)).read(of: launch)
    return .init(
      id: launch, context: context, breadcrumbs: trail.suffix(maxBreadcrumbs),
      screen: trail.last { $0.category == .navigation }?.message)
  }

  private func note(_ event: SdkCrashEvent, of launch: LaunchID) {
    state.withLock { $0.findings[launch] = Finding(event) }
  }

  private func setAside(_ name: CrashLaneName, _ reason: String) {
    journal.countLoss(.corrupt)
    lanes.setAside(name)
    state.withLock { $0.failure = reason }
  }

  /// Neither the launch that crashed nor one that was about to record its event is running, and both are ours.
  private func isOver(_ name: CrashLaneName, _ owners: Owners) -> Bool {
    if let claimer = name.claimer { return claimer == journal.launch || owners.isOver(claimer) }
    return owners.isOver(name.launch)
  }
}

/// Whose launches there are in a directory.
private struct Owners {
  /// Over, and taken over by this process.
  private let ours: Set<LaunchID>
  private let all: Set<LaunchID>

  init(_ journal: Journal, _ directory: URL) {
    ours = Set(journal.launches()).subtracting([journal.launch])
    all = Set(JournalReader(directory: directory).launches())
  }

  /// There is something of the launch in the journal.
  func know(_ launch: LaunchID) -> Bool { all.contains(launch) }

  /// What nobody knows any more is over as well.
  func isOver(_ launch: LaunchID) -> Bool { ours.contains(launch) || !all.contains(launch) }
}
