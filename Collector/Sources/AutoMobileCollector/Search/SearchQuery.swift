/// A search, taken apart: every term of it has to match. `Documentation/Search.md` is the language's page.
struct SearchQuery: Sendable, Equatable {
  let domain: SearchDomain
  private(set) var terms: [SearchTerm]
  /// Whether beginnings of words are not enough: asked for when too many words begin like this.
  var isWholeWords = false

  static let longest = 1000
  static let longestValue = 256
  static let mostTerms = 32
  static let mostValues = 64

  /// - Throws: ``APIError`` `invalid_query`, which says where and what to do.
  init(_ text: String, in domain: SearchDomain) throws {
    self.domain = domain
    var parser = try SearchParser(text, domain)
    terms = try parser.terms()
  }

  /// Nothing is asked for.
  init(everythingIn domain: SearchDomain) {
    self.domain = domain
    terms = []
  }

  var isEmpty: Bool { terms.isEmpty }

  /// What is to be found somewhere: single words, which may each stand somewhere else.
  var words: [String] {
    terms.compactMap { term in
      if case .word(let word) = term.subject, !term.isNegated { word } else { nil }
    }
  }

  /// All but what ``words`` has.
  var others: [SearchTerm] {
    terms.filter { term in
      if case .word = term.subject { term.isNegated } else { true }
    }
  }

  /// Whether something is asked of a field.
  func asks(_ name: String) -> Bool {
    terms.contains { term in
      if case .field(let field, _) = term.subject { field.name == name } else { false }
    }
  }

  /// How often the words of events have to be looked for.
  var lookups: Int {
    terms.count { term in
      switch term.subject {
      case .word, .phrase: true
      case .field(let field, _): domain == .sessions && ["url", "message"].contains(field.name)
      }
    }
  }

  /// What to mark in what was found, without repetition.
  var marks: [String] {
    var marks: [String] = []
    for term in terms where !term.isNegated {
      switch term.subject {
      case .word(let text), .phrase(let text): marks.append(text)
      case .field(let field, let values):
        guard !field.isCompared, field.choices.isEmpty else { continue }
        for case .text(let text, _) in values { marks += text.split(separator: "*").map(String.init) }
      }
    }
    var seen = Set<String>()
    return marks.filter { seen.insert($0).inserted }
  }
}

extension SearchQuery {
  /// `marks`: what a page or a terminal marks in what was found.
  func writeMarks(to json: inout JSONOutput) {
    guard !marks.isEmpty else { return }
    json.array("marks") { for mark in marks { $0.string(mark) } }
  }
}

/// For whoever shows what was found.
package enum SearchMarks {
  /// What to mark of a search; nothing when it cannot be read.
  package static func of(_ text: String?, in domain: String) -> [String] {
    guard let text, let domain = SearchDomain(rawValue: domain) else { return [] }
    return (try? SearchQuery(text, in: domain))?.marks ?? []
  }

  /// For a log on a device, which is searched for a text as it stands: the text, and the field that it asks for instead.
  package static func text(_ text: String, in domain: String) -> (text: String, field: String?) {
    guard let domain = SearchDomain(rawValue: domain), let query = try? SearchQuery(text, in: domain) else {
      return (text, nil)
    }
    for case .field(let field, _) in query.terms.map(\.subject) { return (text, field.name) }
    // What is quoted is the text itself.
    if query.terms.count == 1, case .phrase(let phrase) = query.terms[0].subject, !query.terms[0].isNegated {
      return (phrase, nil)
    }
    return (text, nil)
  }

  /// Where in an event's payload one of them stands, with what is around it; nil when nowhere.
  package static func found(_ marks: [String], in payload: String) -> (field: String, text: String)? {
    var payload = payload
    return payload.withUTF8 { SearchMatch.snippet(marks, in: UnsafeRawBufferPointer($0), maximumDepth: 64) }
  }
}

struct SearchTerm: Sendable, Equatable {
  enum Subject: Sendable, Equatable {
    case word(String)
    case phrase(String)
    /// Any of the values.
    case field(SearchField, [SearchValue])
  }

  var isNegated = false
  var subject: Subject
}

enum SearchValue: Sendable, Equatable {
  /// `isExact`: it stood in quotes.
  case text(String, isExact: Bool)
  /// In milliseconds, bytes, or what it counts.
  case compared(SearchComparison, Double)
}
