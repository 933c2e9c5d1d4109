import AutoMobileJournal

/// What of the marks goes next, within the day's budgets.
extension UploadKeeper {
  var hasMarks: Bool { evaluations.values.contains { !$0.note.marks.isEmpty } }

  /// What is to be sent next, by priority, the older launch first. `body` says whether there was something in it to be sent.
  ///
  /// - Parameter launches: oldest first.
  func next<Batch>(
    of launches: [LaunchID], _ body: (_ launch: LaunchID, _ ranges: [Range<UInt64>], _ priority: Int) -> Batch?
  )
    -> Batch?
  {
    guard let rules else { return nil }
    let mayGo =
      day.hasRoom(rules.bytesPerDay) && (clock.now() >= cheaperAt || day.hasCostlyRoom(rules.cellularBytesPerDay))
    let priorities = launches.reduce(into: Set<Int>()) { $0.formUnion(evaluations[$1]?.priorities ?? []) }
    for priority in priorities.sorted(by: >) where mayGo || priority >= UploadMark.highestPriority {
      for launch in launches {
        guard let evaluation = evaluations[launch] else { continue }
        let ranges = evaluation.ranges(priority: priority)
        guard !ranges.isEmpty else { continue }
        if let batch = body(launch, ranges, priority) { return batch }
        evaluation.sent(priority: priority)
        save([launch])
        publish()
      }
    }
    return nil
  }

  /// A request with so many bytes has gone out.
  func sent(_ bytes: Int, priority: Int, isCostly: Bool) {
    guard priority < UploadMark.highestPriority else { return }
    day.sent(bytes, isCostly: isCostly)
    day.save()
  }

  /// Whether something of a priority may go over a network that costs by volume.
  func mayCost(priority: Int) -> Bool {
    priority >= UploadMark.highestPriority || day.hasCostlyRoom(rules?.cellularBytesPerDay)
  }

  /// How long to wait before it is asked again whether there is a network that costs nothing, in milliseconds.
  private static let networkPause: Int64 = 600_000

  /// There is none that costs nothing, and the day's budget for the others is used up.
  func waitForCheaperNetwork() { cheaperAt = clock.now().addingReportingOverflow(Self.networkPause).partialValue }

  func tryNetworksAgain() { cheaperAt = .min }
}
