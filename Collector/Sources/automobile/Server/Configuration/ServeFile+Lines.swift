import Foundation

/// What stands in the lines, and what is wrong with them.
extension ServeFile {
  struct Problem: Equatable {
    let line: Int
    /// What is wrong, and what to do. Never the line itself: it may hold a key.
    let text: String
  }

  private struct Wrong: Error { let text: String }

  /// - Returns: the lines that can be used, and everything that is wrong with others.
  static func parse(_ data: Data) -> (lines: [Line], problems: [Problem]) {
    var lines: [Line] = []
    var problems: [Problem] = []
    var first: [String: Int] = [:]
    // Some editors begin a file with a mark, which belongs to no line.
    let data = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
    for (index, bytes) in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      let number = index + 1
      do throws(Wrong) {
        let text = try content(of: bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes)
        guard !text.isEmpty, !text.hasPrefix("#") else { continue }
        let (setting, value) = try pair(in: text)
        if !setting.isRepeatable, let before = first[setting.name] {
          throw Wrong(text: "“\(setting.name)” stands in line \(before) already: remove one of them.")
        }
        first[setting.name] = number
        lines.append(Line(number: number, setting: setting, value: value))
      } catch {
        problems.append(Problem(line: number, text: error.text))
      }
    }
    return (lines, problems)
  }

  /// Without the blanks around it.
  private static func content(of bytes: Data) throws(Wrong) -> String {
    guard let text = String(data: bytes, encoding: .utf8) else {
      throw Wrong(text: "is not UTF-8: save the file in that encoding.")
    }
    if let control = text.unicodeScalars.first(where: isControl) {
      throw Wrong(text: "has the control character U+\(hexadecimal(control)): remove it.")
    }
    return text.trimmingCharacters(in: .whitespaces)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  private static func pair(in line: String) throws(Wrong) -> (ServeSetting, String) {
    guard let equals = line.firstIndex(of: "=") else {
      throw Wrong(text: "has no “=”: a line looks like this: port = 8765")
    }
    let name = line[..<equals].trimmingCharacters(in: .whitespaces)
    guard let setting = ServeSetting.named(name) else { throw unknown(name) }
    let value = try unquoted(line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces), of: setting)
    guard !setting.isFlag || ["true", "false"].contains(value) else {
      throw Wrong(text: "“\(name)” is either true or false.")
    }
    return (setting, value)
  }

  private static let longestName = 40

  private static func unknown(_ name: String) -> Wrong {
    if let flag = ServeSetting.opposite(of: name) {
      return Wrong(text: "“\(name)” is written as: \(flag.name) = false")
    }
    if ["config", "check-config"].contains(name) {
      return Wrong(text: "“\(name)” is for the command line only.")
    }
    let plain = String(name.drop { $0 == "-" })
    if name != plain, ServeSetting.named(plain) != nil {
      return Wrong(text: "write the name without dashes in front: \(plain) = …")
    }
    let near = Suggestion.text(for: plain, among: ServeSetting.all.map(\.name))
    // Of a key that stands in the wrong file, what is before an equals sign may be the most of it.
    let isName =
      plain.utf8.count <= longestName && plain.utf8.allSatisfy { (0x61...0x7A).contains($0) || "-_".utf8.contains($0) }
    let shown = isName ? "unknown setting “\(plain)”." : "unknown setting, which is not shown: it may be a key."
    return Wrong(text: "\(shown)\(near) All of them: automobile serve --help")
  }

  /// Everything to the end of the line. What looks like a remark there is none, so what is meant has to be said.
  private static func unquoted(_ text: String, of setting: ServeSetting) throws(Wrong) -> String {
    if text.hasPrefix("\"") {
      guard text.count >= 2, text.hasSuffix("\"") else {
        throw Wrong(text: "the value of “\(setting.name)” begins with a quotation mark, and must end with one.")
      }
      return try filled(String(text.dropFirst().dropLast()), setting)
    }
    if text.hasPrefix("#") || text.contains(" #") || text.contains("\t#") {
      throw Wrong(text: "a remark has a line of its own; a value with “#” after a blank stands in quotation marks.")
    }
    return try filled(text, setting)
  }

  private static func filled(_ value: String, _ setting: ServeSetting) throws(Wrong) -> String {
    guard !value.isEmpty else { throw Wrong(text: "“\(setting.name)” has no value: give one, or remove the line.") }
    return value
  }

  /// What the command itself says of values, of each line alone.
  static func wrongValues(_ lines: [Line]) -> [Problem] {
    guard (try? ServeOptions.parse(lines.compactMap(\.word))) == nil else { return [] }
    return lines.compactMap { line -> Problem? in
      do {
        _ = try ServeOptions.parse([line.word].compactMap { $0 })
        return nil
      } catch {
        // Choices come one a line.
        let parts = ServeOptions.message(for: error).split(whereSeparator: \.isNewline)
        let text = parts.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
        return Problem(line: line.number, text: Printable.text(text))
      }
    }
  }
}
