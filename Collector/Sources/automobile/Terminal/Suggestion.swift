import ArgumentParser

/// What somebody may have meant who typed something that is not there.
enum Suggestion {
  /// “ Did you mean “network”?”, to be appended; nothing when nothing is near.
  static func text(for word: String, among names: some Sequence<String>) -> String {
    nearest(to: word, among: names).map { " Did you mean “\(Printable.text($0))”?" } ?? ""
  }

  /// The name that `word` is a slip of, a beginning of, or a part of: `netwrk`, `net`, `coffeeshop` for `com.example.coffeeshop`.
  static func nearest(to word: String, among names: some Sequence<String>) -> String? {
    let wanted = Array(word.lowercased())
    // Nobody mistypes a novel; the work stays small.
    guard wanted.count >= 2, wanted.count <= 100 else { return nil }
    var best: (name: String, cost: Int)?
    for name in names.prefix(5000) where name.utf8.count <= 200 && name != word {
      guard let cost = cost(wanted, Array(name.lowercased())) else { continue }
      if best.map({ (cost, name) < ($0.cost, $0.name) }) ?? true { best = (name, cost) }
    }
    return best?.name
  }

  /// Nil when they are too far apart.
  private static func cost(_ word: [Character], _ name: [Character]) -> Int? {
    let distance = distance(word, name)
    // One slip in a short word, one more for each four letters.
    if distance <= max(1, (word.count + 1) / 4) { return distance }
    guard word.count >= 3 else { return nil }
    if name.starts(with: word) || word.starts(with: name) { return 10 + distance }
    return String(name).contains(String(word)) ? 100 + distance : nil
  }

  /// How many letters are wrong, missing, too many, or the wrong way round.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var before: [Int] = []
    var row = Array(0...b.count)
    for i in 1...a.count {
      var next = [i]
      for j in 1...b.count {
        var cost = min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { cost = min(cost, before[j - 2] + 1) }
        next.append(cost)
      }
      before = row
      row = next
    }
    return row[b.count]
  }

  /// - Throws: `ValidationError` when one of the values, which commas separate, is none of those that there are.
  static func check(_ option: String, _ values: String?, among known: [String]) throws {
    for value in (values ?? "").split(separator: ",") where !known.contains(String(value)) {
      let near = text(for: String(value), among: known)
      throw ValidationError(
        "“\(Printable.text(String(value)))” is not a valid \(option).\(near) Valid: \(known.joined(separator: ", ")).")
    }
  }
}
