/// A search as arguments: what the shell took apart is put together again.
enum SearchText {
  /// One argument is the search as it stands; of several, what has blanks in it was in quotes.
  static func joined(_ arguments: [String]) -> String? {
    guard arguments.count > 1 else { return arguments.first }
    return arguments.map { argument in
      guard argument.contains(where: \.isWhitespace), !argument.contains("\"") else { return argument }
      guard let colon = argument.firstIndex(of: ":"), !argument[..<colon].contains(where: \.isWhitespace) else {
        return "\"\(argument)\""
      }
      return argument[...colon] + "\"" + argument[argument.index(after: colon)...] + "\""
    }.joined(separator: " ")
  }
}
