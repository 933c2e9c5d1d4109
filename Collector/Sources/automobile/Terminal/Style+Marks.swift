import Foundation

extension Style {
  /// Whether a text has a mark in it.
  static func holds(_ text: String, _ mark: String) -> Bool {
    text.range(of: mark, options: [.caseInsensitive, .diacriticInsensitive]) != nil
  }

  /// The same text with what was searched for marked, whatever its case and its accents; colours around it stay.
  func marked(_ text: String, _ marks: [String]) -> String {
    guard coloured, !marks.isEmpty else { return text }
    var found: [Range<String.Index>] = []
    for mark in marks where !mark.isEmpty {
      var rest = text.startIndex..<text.endIndex
      while found.count < 200,
        let range = text.range(of: mark, options: [.caseInsensitive, .diacriticInsensitive], range: rest),
        !range.isEmpty
      {
        found.append(range)
        rest = range.upperBound..<text.endIndex
      }
    }
    var result = ""
    var end = text.startIndex
    for range in found.sorted(by: { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) })
    where range.lowerBound >= end {
      // Inverse, and not: neither ends a colour.
      result += text[end..<range.lowerBound] + TerminalMark.rendition(7) + text[range] + TerminalMark.rendition(27)
      end = range.upperBound
    }
    return result + text[end...]
  }
}
