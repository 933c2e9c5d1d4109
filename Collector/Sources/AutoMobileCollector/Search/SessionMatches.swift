import Foundation

/// Says of sessions that were found by what happened in them which event it was: what is looked for, whatever the store.
struct SessionMatches: Sendable {
  let texts: [String]
  /// What else is asked of the event that has them.
  let others: [Other]
  let moments: [SessionMoment]
  let isWholeWords: Bool
  /// Different sets of words that are looked for in events, for one page.
  private static let most = 4
  /// Of one event's payload.
  static let depth = 64

  /// What a field says of the event that has the words.
  enum Other: Sendable {
    case isRequest
    /// One of ``SessionTerms/saying``.
    case saysSomething
    case type([SearchValue])
    case status([SearchValue])
  }

  init(_ query: SearchQuery) {
    let terms = query.terms.filter { !$0.isNegated }
    texts = Array(
      terms.flatMap { term -> [String] in
        switch term.subject {
        case .word(let text), .phrase(let text): return [text]
        case .field(let field, let values):
          guard ["url", "message"].contains(field.name) else { return [] }
          return values.compactMap { if case .text(let text, _) = $0 { text } else { nil } }
        }
      }.prefix(8))
    others = terms.compactMap { term in
      guard case .field(let field, let values) = term.subject else { return nil }
      switch field.name {
      case "url": return .isRequest
      case "message": return .saysSomething
      case "type": return .type(values)
      case "status": return .status(values)
      default: return nil
      }
    }
    moments = SessionMoment.all(query)
    isWholeWords = query.isWholeWords
  }

  var isEmpty: Bool { texts.isEmpty && moments.isEmpty }

  /// What is looked for in events, and for which rows: what a row says itself is not.
  func groups(of rows: [SessionRow]) -> [(wanted: [String], rows: [SessionRow])] {
    let groups = Dictionary(grouping: rows) { row in
      texts.filter { !row.known.localizedStandardContains($0) }
    }
    return groups.filter { !$0.key.isEmpty }.sorted { $0.value.count > $1.value.count }.prefix(Self.most)
      .map { ($0.key, $0.value) }
  }

  /// One after the other, for those in which nothing was found yet.
  func attempts(_ wanted: [String]) -> [(wanted: [String], others: [Other])] {
    var attempts = [(wanted: wanted, others: others)]
    if !others.isEmpty { attempts.append((wanted, [])) }
    // No event has them all: then one that has the first.
    if wanted.count > 1 { attempts.append(([wanted[0]], [])) }
    return attempts
  }
}

extension SearchMatch {
  /// An event that has words in it.
  init(event: Int64, timestamp: Int64, type: String, with words: [String], in payload: UnsafeRawBufferPointer?) {
    let snippet = payload.flatMap {
      // What is of this type, or says it elsewhere.
      SearchMatch.snippet(words, in: $0, maximumDepth: SessionMatches.depth)
        ?? SearchMatch.summary(of: $0, maximumDepth: SessionMatches.depth)
    }
    self.init(
      event: event, timestamp: timestamp, type: type, field: snippet?.field ?? "",
      text: snippet.map { SearchMatch.line($0.text) } ?? "")
  }

  /// An event that is of a kind.
  ///
  /// - Parameter said: what to show of it; nil: what it says itself.
  init(
    event: Int64, timestamp: Int64, type: String, field: String, said: String?, payload: UnsafeRawBufferPointer?
  ) {
    var shown = (field: field, text: said)
    if said == nil, let own = payload.flatMap({ SearchMatch.summary(of: $0, maximumDepth: SessionMatches.depth) }) {
      shown = (own.field, own.text)
    }
    self.init(
      event: event, timestamp: timestamp, type: type, field: shown.field,
      text: shown.text.map(SearchMatch.line) ?? type)
  }
}

extension SessionRow {
  /// What a list shows of it.
  var known: String {
    let device = self.device.flatMap { try? JSONDecoder().decode(JSONTree.self, from: Data($0.utf8)) }
    let words = ["model", "systemName", "osVersion", "manufacturer"].compactMap { device?[$0]?.string }
    return ([sessionId, userId, bundleId, appVersion, tags, lastScreen] + words).compactMap { $0 }
      .joined(separator: "\n")
  }
}
