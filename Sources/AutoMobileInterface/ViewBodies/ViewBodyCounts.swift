import AutoMobileRecorder

/// What has been counted for each tracked view.
///
/// Memory is bounded: so many views, and names of so many bytes. A view that is known costs no allocation.
struct ViewBodyCounts: Sendable {
  /// Views beyond these are counted as one, ``others``.
  static let maximumViews = 512
  /// Longer ids and names are cut, in UTF-8 bytes.
  static let maximumNameLength = 256
  static let others = "(other views)"

  private struct View {
    let id: String
    var name: String?
    var evaluations = 0
    var rate = RollingRate()
    var measurements = 0
    var milliseconds = 0.0
    /// What was told of it last.
    var told: ViewBodySnapshot?

    mutating func noteEvaluation(_ name: String?, at milliseconds: Int) {
      if let name, self.name == nil, id != ViewBodyCounts.others {
        self.name = name.limited(to: ViewBodyCounts.maximumNameLength)
      }
      evaluations &+= 1
      rate.note(at: milliseconds)
    }

    func snapshot(at milliseconds: Int) -> ViewBodySnapshot {
      ViewBodySnapshot(
        id: id, viewName: name, totalCount: evaluations, rollingAverage: rate.perSecond(at: milliseconds),
        averageDurationMs: measurements == 0 ? nil : self.milliseconds / Double(measurements))
    }
  }

  private var numbers = TextNumbers(capacity: maximumViews + 1)
  private var views: [View] = []
  /// Something was counted since ``takeChanges(at:)``, or was lately.
  private var mayHaveChanged = false

  mutating func noteEvaluation(_ id: String, name: String?, at milliseconds: Int) {
    let index = index(of: id)
    views[index].noteEvaluation(name, at: milliseconds)
    mayHaveChanged = true
  }

  /// - Parameter duration: in milliseconds; one that is not a finite number, or negative, is none.
  mutating func noteDuration(_ id: String, _ duration: Double) {
    guard duration.isFinite, duration >= 0 else { return }
    let index = index(of: id)
    views[index].measurements &+= 1
    views[index].milliseconds += duration
    mayHaveChanged = true
  }

  /// Of all views, in the order in which they were first seen.
  func snapshots(at milliseconds: Int) -> [ViewBodySnapshot] { views.map { $0.snapshot(at: milliseconds) } }

  /// Of the views that have changed since the last call, be it only that their rate has fallen.
  mutating func takeChanges(at milliseconds: Int) -> [ViewBodySnapshot] {
    guard mayHaveChanged else { return [] }
    var changes: [ViewBodySnapshot] = []
    var isQuiet = true
    for index in views.indices {
      let snapshot = views[index].snapshot(at: milliseconds)
      if snapshot.rollingAverage > 0 { isQuiet = false }
      guard snapshot != views[index].told else { continue }
      views[index].told = snapshot
      changes.append(snapshot)
    }
    mayHaveChanged = !isQuiet
    return changes
  }

  @inline(__always)
  private mutating func index(of id: String) -> Int { numbers.number(of: id) ?? index(ofNew: id) }

  @inline(never)
  private mutating func index(ofNew id: String) -> Int {
    let cut = id.limited(to: Self.maximumNameLength)
    let id = numbers.count < Self.maximumViews ? cut : Self.others
    // A cut id may be known, and so may that of all others.
    if let index = numbers.number(of: cut) ?? numbers.number(of: id) { return index }
    views.append(View(id: id))
    // There is room for one more than are told apart.
    return numbers.add(id) ?? views.count - 1
  }
}
