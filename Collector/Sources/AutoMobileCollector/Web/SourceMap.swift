/// Tells a browser's developer tools which line of which file a line of the joined script is (ECMA-426).
enum SourceMap {
  static func json(_ joined: ScriptJoiner) -> String {
    var mappings = ""
    var last = (source: 0, line: 0)
    for (index, origin) in joined.origins.enumerated() {
      if index > 0 { mappings += ";" }
      guard let origin else { continue }
      mappings += "A" + digits(origin.source - last.source) + digits(origin.line - last.line) + "A"
      last = origin
    }
    let sources = joined.paths.map { "\"\($0)\"" }.joined(separator: ",")
    return #"{"version":3,"sources":[\#(sources)],"names":[],"mappings":"\#(mappings)"}"#
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

  /// A number as digits of five bits, the lowest first; its sign is the lowest bit.
  private static func digits(_ value: Int) -> String {
    var rest = value < 0 ? (-value << 1) | 1 : value << 1
    var text = ""
    repeat {
      let digit = rest & 31
      rest >>= 5
      text.append(alphabet[rest > 0 ? digit | 32 : digit])
    } while rest > 0
    return text
  }
}
