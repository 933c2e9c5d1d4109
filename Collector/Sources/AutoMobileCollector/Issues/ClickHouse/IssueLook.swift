import AutoMobileState

/// One look at some reports: what becomes of each, and what the state is told of it. It knows no server.
struct IssueLook {
  /// A report before and after.
  struct Looked: Sendable {
    var before: ReportVersion
    var after: ReportVersion
    /// Nobody has looked at it before.
    var isFirst: Bool
  }

  private(set) var looked: [Looked] = []
  /// Apps by the names of reports that they have.
  private var apps: [String: Set<String>]
  private let known: Set<String>

  /// - Parameter apps: those that have reports called as any of these may be, see ``ReportsToLookAt/apps(_:)``.
  init(apps: [String: Set<String>]) {
    self.apps = apps
    known = Set(apps.keys)
  }

  /// A report is looked at.
  ///
  /// - Parameters:
  ///   - refined: what it says now; nil: nothing else than before.
  ///   - fingerprint: of that.
  ///   - isOwing: its symbols are there, and could not be read now.
  mutating func add(
    _ version: ReportVersion, _ refined: RefinedReport?, _ fingerprint: Fingerprint?, isOwing: Bool = false
  ) {
    var before = version
    if version.revision == 0 { before.fingerprint = name(version.fingerprint, version) }
    var after = before
    if let refined, let fingerprint {
      after.fingerprint = name(fingerprint.name, version)
      after.say(refined, fingerprint)
      apps[after.fingerprint, default: []].insert(version.bundle)
    } else {
      // Else there is nothing to be asked of it, whatever comes.
      after.images = isOwing ? after.images.filter { !$0.isEmpty } : []
      apps[before.fingerprint, default: []].insert(version.bundle)
    }
    looked.append(Looked(before: before, after: after, isFirst: version.revision == 0))
  }

  /// What another app made to look like this one's is an issue of its own.
  private func name(_ fingerprint: String, _ version: ReportVersion) -> String {
    let others = apps[fingerprint] ?? []
    guard !others.isEmpty, !others.contains(version.bundle) else { return fingerprint }
    return Fingerprint.marked(fingerprint, bundleId: version.bundleId)
  }

  /// All names that a report may get.
  static func names(_ fingerprint: String, _ bundle: String?) -> [String] {
    [fingerprint, Fingerprint.marked(fingerprint, bundleId: bundle)]
  }

  // MARK: What the state is told

  /// The same as SQLite's index tells, in its order: that an issue came back, when a report arrives and when it turns out to be another
  /// issue's; and what becomes of decisions about an issue whose reports are called otherwise now.
  ///
  /// - Parameter told: reports of which the state knows already.
  /// - Returns: whether something is different now.
  func tell(_ state: borrowing StateWriting, but told: Set<ReportName>) throws -> Bool {
    var telling = Telling(decisions: try KnownDecisions(in: state.reading), known: known)
    for one in looked {
      if told.contains(one.before.name) {
        telling.known.insert(one.after.fingerprint)
      } else {
        try telling.tell(one, in: state)
      }
    }
    return telling.isNew
  }

  private struct Telling {
    var decisions: KnownDecisions
    /// Names that reports have.
    var known: Set<String>
    var isNew = false

    mutating func tell(_ looked: Looked, in state: borrowing StateWriting) throws {
      let (old, new) = (looked.before.fingerprint, looked.after.fingerprint)
      if looked.isFirst { try cameBack(looked.before, decisions.issue(of: old), in: state) }
      if old != new {
        try follow(looked.before, to: new, in: state)
        let (before, after) = (decisions.issue(of: old), decisions.issue(of: new))
        if before != after {
          if !isThere(after) { try apply(.begins(issue: after, outOf: before), in: state) }
          try cameBack(looked.after, after, in: state)
        }
      }
      known.insert(new)
    }

    private mutating func cameBack(
      _ report: ReportVersion, _ issue: String, in state: borrowing StateWriting
    ) throws {
      guard decisions.status(of: issue) == IssueStatus.resolved.rawValue else { return }
      try apply(.cameBack(issue: issue, at: report.timestamp, version: report.version), in: state)
    }

    /// What was merged stays merged, and what others were merged into keeps them.
    private mutating func follow(
      _ report: ReportVersion, to new: String, in state: borrowing StateWriting
    ) throws {
      let old = report.fingerprint
      if let merged = decisions.merges[old], merged.target != new, decisions.merges[new] == nil, !isThere(new) {
        try apply(.follows(fingerprint: new, old: old), in: state)
      }
      let other = decisions.merges[new].map { $0.target != old } ?? false
      if !decisions.parts(of: old).isEmpty, !other, !isThere(new) {
        try apply(.renamed(old: report.called, new: new), in: state)
      }
    }

    private func isThere(_ issue: String) -> Bool {
      known.contains(issue) || decisions.merges.values.contains { $0.target == issue }
    }

    private mutating func apply(_ notice: IssueNotice, in state: borrowing StateWriting) throws {
      guard try notice.apply(in: state) else { return }
      isNew = true
      decisions = try KnownDecisions(in: state.reading)
    }
  }
}
