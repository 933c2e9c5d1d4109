import AutoMobileState
import Foundation

/// What the state has about something that others share with erased sessions. Done again, it finds nothing.
struct SharedScrubOfState {
  /// `issue` or `route`; of others the state has nothing.
  let what: String
  /// Of an issue.
  let name: String
  /// Of a route that nobody uses any more.
  let place: String?

  /// - Returns: what went, by table.
  func run(in state: borrowing StateWriting) throws -> [String: Int64] {
    switch what {
    case "issue":
      let gone = try AlertOutbox.erase(name, in: state)
      try Self.forgetWords(of: name, in: state)
      try state.tell(.issues, name)
      return ["alert_message": gone.messages, "alert_log": gone.entries]
    case "route":
      guard let place = place?.keepable else { return [:] }
      var counts: [String: Int64] = [:]
      // An alert about requests is about `GET host/path`. Another host may end like this one.
      for subject in try AlertOutbox.subjects(in: state.reading)
      where subject.utf8.drop(while: { $0 != UInt8(ascii: " ") }).dropFirst().elementsEqual(place.utf8) {
        let gone = try AlertOutbox.erase(subject, in: state)
        counts.merge(["alert_message": gone.messages, "alert_log": gone.entries]) { $0 + $1 }
      }
      return counts
    default: return [:]
    }
  }

  /// What an issue said, in places where people see it.
  static func forgetWords(of name: String, in state: borrowing StateWriting) throws {
    try state.execute(
      """
      UPDATE issue_merge SET message = NULL, template = NULL
      WHERE (name = ?1 OR target = ?1) AND (message IS NOT NULL OR template IS NOT NULL)
      """, name)
    let changes = try state.rows(
      "SELECT id, name, value FROM issue_change WHERE what IN ('merged', 'split') AND (name = ?1 OR value LIKE ?2 ESCAPE '\\')",
      name, "%\(Self.escaped(JSONTree.string(name).text))%")
    for change in changes {
      let text: String = try change[2] ?? ""
      guard case .object(var members)? = try? JSONDecoder().decode(JSONTree.self, from: Data(text.utf8)),
        members["title"].map({ $0 != .string("") }) == true,
        try change[1] == name || members["issue"]?.string == name
      else { continue }
      members["title"] = .string("")
      try state.execute(
        "UPDATE issue_change SET value = ?2 WHERE id = ?1", try change[0] as Int64, JSONTree.object(members).text)
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_")
  }
}
