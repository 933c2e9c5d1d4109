import ArgumentParser
import Foundation

/// What `automobile issues ID` changes besides the status: who takes care, where else it is kept, what is said of it, and which
/// issues are the same problem.
struct IssueChanges: ParsableArguments {
  @Option(help: ArgumentHelp("Assign the issue to this person.", valueName: "name"))
  var assign: String?

  @Flag(help: "Unassign the issue.")
  var unassign = false

  @Option(help: ArgumentHelp("Comment on the issue.", valueName: "text"))
  var comment: String?

  @Option(help: ArgumentHelp("Link to the issue in an external tracker.", valueName: "url"))
  var tracker: String?

  @Flag(help: "Remove the link to the external tracker.")
  var removeTracker = false

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Merge these issues into this one.", valueName: "issue"))
  var merge: [String] = []

  @Option(help: ArgumentHelp("Unmerge this issue from the one it was merged into.", valueName: "issue"))
  var unmerge: String?

  @Flag(help: "Undo the last --resolve, --ignore or --reopen.")
  var undo = false

  var isEmpty: Bool {
    assign == nil && !unassign && comment == nil && tracker == nil && !removeTracker && merge.isEmpty && unmerge == nil
      && !undo
  }

  func validate() throws {
    guard assign == nil || !unassign else { throw ValidationError("Give --assign or --unassign, not both.") }
    guard tracker == nil || !removeTracker else {
      throw ValidationError("Give --tracker or --remove-tracker, not both.")
    }
  }

  /// Sends each change, in the order in which they are listed here.
  ///
  /// - Returns: the issue as it is then; nil when there is nothing to change.
  func send(_ issue: JSON, _ client: CollectorClient) async throws -> JSON? {
    let path = "/api/issues/\(CollectorClient.segment(issue["id"]?.text ?? ""))"
    var changed: JSON?
    if undo { changed = try await client.send(.POST, path + "/undo", [:]) }
    if assign != nil || unassign {
      changed = try await client.send(.PUT, path + "/assignee", ["assignee": JSON(assign)])
    }
    if tracker != nil || removeTracker {
      changed = try await client.send(.PUT, path + "/link", ["link": JSON(tracker)])
    }
    if !merge.isEmpty {
      var names: [JSON] = []
      for name in merge { names.append(.string(try await client.issue(named: name)["id"]?.text ?? name)) }
      changed = try await client.send(.POST, path + "/merge", ["issues": .array(names)])
    }
    if let unmerge {
      changed = try await client.send(.POST, path + "/split", ["issue": try Self.part(unmerge, of: issue)])
    }
    if let comment { changed = try await client.send(.POST, path + "/comments", ["text": .string(comment)]) }
    return changed
  }

  /// The name of a merged issue, of which the beginning may be given.
  private static func part(_ name: String, of issue: JSON) throws -> JSON {
    let parts = (issue["merged"]?.array ?? []).compactMap { $0["id"]?.string }
    let found = parts.filter { $0.hasPrefix(name.lowercased()) }
    guard let part = found.first, found.count == 1 else {
      throw Failure(
        message: found.isEmpty
          ? "“\(Printable.text(name))” is not merged into this issue."
          : "“\(Printable.text(name))” could be \(found.count) of its merged issues.",
        advice: parts.isEmpty ? "Nothing is merged into it." : "Merged into it: \(parts.joined(separator: ", ")).")
    }
    return .string(part)
  }
}

/// What people did with an issue, a line each, the newest first.
enum IssueHistoryText {
  static func lines(_ issue: JSON, _ style: Style, now: Int64) -> [String] {
    var lines: [String] = []
    if let assignee = issue["assignee"]?.text { lines.append("assignee  \(Printable.text(assignee))") }
    if let link = issue["link"]?.text { lines.append("tracker   \(Printable.text(link))") }
    for part in issue["merged"]?.array ?? [] {
      let count = Format.plural(part["count"]?.int ?? 0, "report")
      lines.append(
        "merged    \(Printable.text("\(part["id"]?.text.prefix(8) ?? "") \(part["title"]?.text ?? "")")) (\(count))")
    }
    for change in (issue["history"]?.array ?? []).prefix(20) {
      let author = change["by"]?.text ?? ""
      let text = [author, phrase(change["what"]?.text ?? "", change["value"] ?? [:])].filter { !$0.isEmpty }
      let line = Printable.text(text.joined(separator: " "))
      lines.append(style.dim(Format.ago(change["at"]?.integer ?? 0, now: now)) + "  " + line)
    }
    return lines
  }

  private static func phrase(_ what: String, _ value: JSON) -> String {
    switch what {
    case "status": status(value)
    case "regressed": "Regressed" + (value["version"].map { " in \($0.text)" } ?? "")
    case "assignee": value["assignee"].map { "assigned it to \($0.text)" } ?? "unassigned it"
    case "link": value["link"].map { "linked \($0.text)" } ?? "removed the link"
    case "comment": "commented: \(value["text"]?.text ?? "")"
    case "merged": "merged “\(value["title"]?.text ?? "")” into it"
    case "split": "unmerged “\(value["title"]?.text ?? "")”"
    case "undone":
      switch value["value"]?["status"]?.text {
      case "resolved": "undid resolving it"
      case "ignored": "undid ignoring it"
      default: "undid reopening it"
      }
    default: what
    }
  }

  private static func status(_ value: JSON) -> String {
    switch value["status"]?.text {
    case "resolved":
      "resolved it"
        + (value["resolvedIn"].map { " in \($0.text)" } ?? value["resolvedAfter"].map {
          " in the version after \($0.text)"
        } ?? "")
    case "ignored": "ignored it"
    default: "reopened it"
    }
  }
}
