/// What somebody may have meant.
enum SearchGuess {
  /// The name that is at most two letters away; nil when none is.
  static func nearest(to text: String, among names: [String]) -> String? {
    guard (2...32).contains(text.count) else { return nil }
    let allowed = text.count <= 4 ? 1 : 2
    let ranked = names.map { ($0, distance(text, $0.lowercased())) }.filter { $0.1 <= allowed }
    return ranked.min { $0.1 < $1.1 }?.0 ?? names.first { $0.lowercased().hasPrefix(text) || text.hasPrefix($0) }
  }

  /// Letters that are put in, left out, exchanged, or in the wrong order.
  static func distance(_ one: String, _ other: String) -> Int {
    let (a, b) = (Array(one), Array(other))
    guard abs(a.count - b.count) <= 3 else { return .max }
    var rows = [Array(0...b.count)]
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var least = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, rows[i - 1][j - 1] + 1) }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
