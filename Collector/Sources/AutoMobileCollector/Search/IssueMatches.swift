import Foundation

/// Says of issues what was found, where the rows themselves do not show it, with the report that says so.
struct IssueMatches {
  struct Wanted {
    var text: String
    /// nil: anywhere.
    var field: SearchField?
    var value: SearchValue

    /// Whether it may have been found in what reports have under this name.
    func isSought(in name: String) -> Bool { field == nil || field?.name == name }

    /// What was found of a session; nil: nothing can have been.
    var ofSession: String? {
      let name = field?.name ?? "user"
      return name == "message" || name == "function" ? nil : name
    }
  }

  let wanted: [Wanted]

  init(_ query: SearchQuery) {
    wanted = Array(
      query.terms.filter { !$0.isNegated }.flatMap { term -> [Wanted] in
        switch term.subject {
        case .word(let text), .phrase(let text): return [Wanted(text: text, value: .text(text, isExact: false))]
        case .field(let field, let values):
          guard Self.fields.contains(field.name) else { return [] }
          return values.compactMap { value in
            guard case .text(let text, _) = value,
              let part = text.split(separator: "*").max(by: { $0.count < $1.count })
            else { return nil }
            return Wanted(text: String(part), field: field, value: value)
          }
        }
      }.prefix(8))
  }

  /// Those whose finding a row does not show.
  private static let fields: Set = ["message", "function", "user", "device", "os", "tag", "session"]
}

extension IssueRow {
  /// What a list shows of it.
  var known: String {
    [kind, title, subtitle, cause, culprit, file, bundleId, assignee].compactMap { $0 }.joined(separator: "\n")
      + versions.map { "\n" + $0.version }.joined()
  }
}
