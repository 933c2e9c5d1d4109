import AutoMobileJournal

/// What of the marks goes next, within the day's budgets.
extension UploadKeeper {
  var hasMarks: Bool { evaluations.values.contains { !$0.note.marks.isEmpty } }

  /// What had to wait until fewer marks are there can be looked at now.
  var hasRoomForMore: Bool {
    evaluations.values.contains { $0.isStalled && !$0.isHeldUp && !$0.isFull }
  }

  /// What there is in some ranges.
  enum Found<Batch> {
    case batch(Batch)
    /// All of it has been sent, or is gone.
    case nothing
    /// It cannot be read now.
    case later
  }

  /// What is to be sent next, by priority, the older launch first.
  ///
  /// - Parameter launches: oldest first.
  func next<Batch>(
    of launches: [LaunchID], _ body: (_ launch: LaunchID, _ ranges: [Range<UInt64>], _ priority: Int) -> Found<Batch>
  ) -> Batch? {
    guard let rules else { return nil }
    let mayGo =
      day.hasRoom(rules.bytesPerDay) && (clock.now() >= cheaperAt || day.hasCostlyRoom(rules.cellularBytesPerDay))
    let priorities = launches.reduce(into: Set<Int>()) { $0.formUnion(evaluations[$1]?.priorities ?? []) }
    for priority in priorities.sorted(by: >) where mayGo || priority >= UploadMark.highestPriority {
      for launch in launches {
        guard let evaluation = evaluations[launch] else { continue }
        let ranges = evaluation.ranges(priority: priority)
        guard !ranges.isEmpty else { continue }
        switch body(launch, ranges, priority) {
        case .batch(let batch): return batch
        case .later: continue
        case .nothing:
          evaluation.sent(priority: priority)
          save([launch])
          publish()
        }
      }
    }
    return nil
  }

  /// A request with so many bytes has been answered, or has failed.
  ///
  /// - Parameters:
  ///   - isTaken: the receiver has what was in it. What it did not take is sent once more, and counts then.
  ///   - cost: how much has gone over a network that costs by volume, in bytes, whatever became of it.
  func sent(_ bytes: Int, priority: Int, isTaken: Bool, cost: Int) {
    guard priority < UploadMark.highestPriority, isTaken || cost > 0 else { return }
    day.sent(isTaken ? bytes : 0, cost: cost)
    day.save()
  }

  /// Whether something of a priority may go over a network that costs by volume.
  func mayCost(priority: Int) -> Bool {
    priority >= UploadMark.highestPriority || day.hasCostlyRoom(rules?.cellularBytesPerDay)
  }

  /// How long to wait before it is asked again whether there is a network that costs nothing, in milliseconds.
  static let networkPause: Int64 = 600_000

  /// There is none that costs nothing, and the day's budget for the others is used up.
  func waitForCheaperNetwork() { cheaperAt = clock.now().addingReportingOverflow(Self.networkPause).partialValue }

  func tryNetworksAgain() { cheaperAt = .min }
}
