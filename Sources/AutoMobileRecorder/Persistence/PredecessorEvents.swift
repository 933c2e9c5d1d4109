import AutoMobileJournal
import Foundation

/// What AutoMobile's own SDK, in an earlier version of the app, has recorded and not delivered: taken over into the journal, from
/// where it goes to the receiver as what earlier launches left.
///
/// *Once*: a plan is written down first, which files go into which launches. Then come the launches, each in one step; then the files go,
/// then the plan. Whoever is killed in between leaves a plan, by which the next one goes on: a launch that is there is not made
/// again, and one that has been delivered meanwhile is made with the same names and positions, which the receiver knows.
///
/// On the queue of delivery only, and only while something may be delivered: an SDK that is off touches nothing.
final class PredecessorEvents: @unchecked Sendable {
  // Unchecked: `waiting` and `directory` belong to the queue of delivery; the rest is constant.

  /// The bit in a launch's marks: it is none of ours, so nobody need ask how it ended.
  static let mark: UInt64 = 1 << 16
  static let planName = "automobile-takeover.plan"
  /// As documented.
  private static let maximumAge: Int64 = 7 * 86_400_000
  /// What is taken over at a time, in bytes of files. The rest follows a minute later.
  private static let mostBytes = 8 * 1024 * 1024
  private static let mostFiles = 500

  private struct Plan: Codable {
    var launches: [LaunchID]
    var files: [String]
  }

  /// Not looked for by the thread that initializes.
  private lazy var directory = EventDirectory(locate() ?? URL(fileURLWithPath: "/dev/null", isDirectory: true))
  private let locate: @Sendable () -> URL?
  private let journal: Journal
  private let processors: EventProcessors
  private let wallClock: @Sendable () -> Int64
  /// The files that were there at first, and have not been dealt with; nil before anybody looked.
  private var waiting: [EventFile]?

  init(
    in locate: @escaping @Sendable () -> URL?, journal: Journal, processors: EventProcessors,
    wallClock: @escaping @Sendable () -> Int64 = Clocks.millisecondsSince1970
  ) {
    self.locate = locate
    self.journal = journal
    self.processors = processors
    self.wallClock = wallClock
  }

  /// Takes over what is there, or the next part of it. Reads the disk.
  ///
  /// - Returns: false when there is more, or there is no disk to take it over to.
  @discardableResult
  func takeOver() -> Bool {
    if waiting?.isEmpty == true { return true }
    guard !EventDirectoriesInUse.contain(directory.url) else { return true }
    guard journal.status == .durable else { return false }
    let left = unfinished()
    if waiting == nil {
      waiting = directory.files()
      removeOld()
    }
    var found = Found()
    let files = left?.files.compactMap { EventFile(name: $0) } ?? waiting ?? []
    for file in files where found.files.count < Self.mostFiles && found.bytes < Self.mostBytes { take(file, &found) }
    var plan = Plan(launches: left?.launches ?? [], files: found.files.map(\.name))
    if !found.parts.isEmpty {
      while plan.launches.count < found.parts.count { plan.launches.append(LaunchID()) }
      guard let data = try? JSONEncoder().encode(plan), directory.write(data, as: Self.planName) else { return false }
      for (launch, part) in zip(plan.launches, found.parts) {
        guard journal.takeOver(part.payloads, as: launch, created: part.created, marks: Self.mark) else { return false }
      }
    }
    for (reason, count) in found.losses { journal.countLoss(reason, count) }
    finish(plan)
    // What cannot be read now is tried again in the next launch.
    let seen = Set(files.prefix(found.seen).map(\.name))
    waiting?.removeAll { seen.contains($0.name) }
    return waiting?.isEmpty ?? true
  }

  /// Removes everything of this kind from a directory.
  static func erase(_ url: URL) {
    let directory = EventDirectory(url)
    directory.files().forEach { directory.remove($0) }
    // What was being written when the process was killed.
    for name in directory.unfinished() where name == planName || EventFile(name: name) != nil {
      directory.remove(EventDirectory.unfinished(name))
    }
    directory.remove(planName)
  }

  // MARK: What is there

  private struct Part {
    var created: Int64
    var payloads: [[UInt8]] = []
    var bytes = 0
  }

  private struct Found {
    var files: [EventFile] = []
    var parts: [Part] = []
    var losses: [LossReason: UInt64] = [:]
    /// Of the files' sizes.
    var bytes = 0
    /// Files looked at.
    var seen = 0

    mutating func add(_ payload: [UInt8], created: Int64) {
      // A record's header and filling are 24 bytes at most.
      let size = payload.count + 24
      if parts.last.map({ $0.bytes + size > Journal.mostTakenOver }) ?? true { parts.append(Part(created: created)) }
      parts[parts.count - 1].payloads.append(payload)
      parts[parts.count - 1].bytes += size
    }
  }

  private func take(_ file: EventFile, _ found: inout Found) {
    found.seen += 1
    switch directory.entries(file) {
    case .missing, .unreadable: return
    case .damaged:
      directory.remove(file)
      journal.countLoss(.corrupt)
    case .entries(let entries):
      found.files.append(file)
      // What an entry takes in memory at least; and what had to be read for it, should that be little.
      found.bytes += max(entries.reduce(0) { $0 + $1.payload.count + 64 }, directory.size(of: file) / 2)
      for entry in entries {
        switch payload(of: entry) {
        case .success(let payload): found.add(payload, created: file.stamp)
        case .failure(let loss): found.losses[loss.reason, default: 0] &+= 1
        }
      }
    }
  }

  private struct Loss: Error { var reason: LossReason }

  /// An event as the journal has it: as it was written, unless the app wants to see it first.
  private func payload(of entry: EventFile.Entry) -> Result<[UInt8], Loss> {
    guard (try? JSONSerialization.jsonObject(with: entry.payload)) is [String: Any] else {
      return .failure(Loss(reason: .corrupt))
    }
    guard entry.payload.count + 24 <= Journal.mostTakenOver else { return .failure(Loss(reason: .rejected)) }
    guard !processors.isEmpty else { return .success(Array(entry.payload)) }
    guard let event = try? SdkEventDecoder.decode(entry.payload) else { return .failure(Loss(reason: .corrupt)) }
    guard let processed = processors.process(event) else { return .failure(Loss(reason: .filtered)) }
    guard let json = try? withEncodedEvent(processed, contextId: nil, { Array($0) }) else {
      return .failure(Loss(reason: .flushError))
    }
    return .success(json)
  }

  // MARK: Files that go

  /// The plan of a launch that did not come to its end, as long as all of its files are there; else what is left of them goes.
  private func unfinished() -> Plan? {
    switch directory.read(Self.planName) {
    case .missing, .unreadable: return nil
    case .damaged: break
    case .data(let data):
      guard let plan = try? JSONDecoder().decode(Plan.self, from: data) else { break }
      let there = Set(directory.files().map(\.name))
      if plan.files.allSatisfy(there.contains) { return plan }
      // The first of them went when all had been taken over.
      finish(plan)
      return nil
    }
    directory.remove(Self.planName)
    return nil
  }

  private func finish(_ plan: Plan) {
    guard !plan.files.isEmpty else { return }
    for name in plan.files where EventFile(name: name) != nil { directory.remove(name) }
    directory.remove(Self.planName)
  }

  private func removeOld() {
    let now = wallClock()
    var bytes = 0
    waiting?.removeAll { file in
      let (age, overflow) = now.subtractingReportingOverflow(file.stamp)
      // What is not counted now is too old in the next launch as well.
      guard !overflow, age > Self.maximumAge else { return false }
      guard bytes < Self.mostBytes else { return true }
      bytes += directory.size(of: file)
      switch directory.entries(file) {
      case .entries(let entries): journal.countLoss(.expired, UInt64(clamping: entries.count))
      case .damaged: journal.countLoss(.corrupt)
      case .unreadable, .missing: return false
      }
      directory.remove(file)
      return true
    }
  }
}
