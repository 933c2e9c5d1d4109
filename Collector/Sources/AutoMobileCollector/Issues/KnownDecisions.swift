import AutoMobileState

/// What people decided about issues and wrote down about them, all of it: they are few compared with reports.
struct KnownDecisions: Sendable {
  /// An issue that is counted in another one.
  struct Merged: Sendable {
    var called: IssueNotice.IssueName
    var target: String
  }

  struct Note: Sendable {
    var assignee: String?
    var link: String?
  }

  var states: [String: IssueRow.State] = [:]
  var notes: [String: Note] = [:]
  var merges: [String: Merged] = [:]

  init() {}

  init(in state: borrowing StateReading) throws {
    for row in try state.rows(CopiedTable.issueStates.all) {
      let name: String = try row[0]
      states[name] = IssueRow.State(
        status: try row[1], version: try row[2], changedAt: try row[3], changedBy: try row[4], regressedAt: try row[5],
        regressedIn: try row[6])
    }
    for row in try state.rows(CopiedTable.issueNotes.all) {
      let name: String = try row[0]
      notes[name] = Note(assignee: try row[1], link: try row[2])
    }
    for row in try state.rows(CopiedTable.issueMerges.all) {
      let name: String = try row[0]
      merges[name] = Merged(called: try IssueNotice.IssueName(row), target: try row[7])
    }
  }

  /// The issue in which reports of this name of their own are counted.
  func issue(of name: String) -> String { merges[name]?.target ?? name }

  /// The names of reports that are counted in this issue: its own, and those of what was merged into it.
  func names(of issue: String) -> [String] { [issue] + parts(of: issue).map(\.called.name) }

  /// By their names.
  func parts(of issue: String) -> [Merged] {
    merges.values.filter { $0.target == issue }.sorted { $0.called.name < $1.called.name }
  }

  func status(of issue: String) -> String { states[issue]?.status ?? IssueStatus.open.rawValue }

  func add(to row: inout IssueRow) {
    row.state = states[row.name]
    (row.assignee, row.link) = (notes[row.name]?.assignee, notes[row.name]?.link)
  }
}
