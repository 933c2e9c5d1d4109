import AutoMobileState

/// What the index notices of issues by itself, as a value: it can be kept until the state has it.
///
/// Each can be applied again, and changes nothing then: a collector that dies between telling the state and forgetting it tells it once
/// more.
enum IssueNotice: Codable, Sendable, Equatable {
  /// A report shows that an issue is not resolved.
  case cameBack(issue: String, at: Int64, version: String?)
  /// An issue begins with a report out of another one: its fingerprint changed, not the problem.
  case begins(issue: String, outOf: String)
  /// A fingerprint became another one, since its symbols are known now: what was merged stays merged.
  case follows(fingerprint: String, old: String)
  /// What others were merged into has another name now.
  case renamed(old: IssueName, new: String)

  /// How an issue is called, also when it is merged into another one.
  struct IssueName: Codable, Sendable, Equatable {
    var name: String
    var cause: String
    var culprit: String?
    var message: String?
    var file: String?
    var line: Int64?
    var template: String?

    var title: String { IssueText.title(template: template, cause: cause, culprit: culprit) }
  }

  /// - Returns: whether something is different now.
  @discardableResult
  func apply(in state: borrowing StateWriting) throws -> Bool {
    switch self {
    case .cameBack(let issue, let time, let version):
      try IssueStates.reopen(issue, at: time, version: version, in: state)
    case .begins(let new, let old): try IssueDecisions.inherit(from: old, to: new, in: state)
    case .follows(let new, let old): try IssueDecisions.follow(old, to: new, in: state)
    case .renamed(let old, let new): try IssueDecisions.rename(old, to: new, in: state)
    }
  }
}
