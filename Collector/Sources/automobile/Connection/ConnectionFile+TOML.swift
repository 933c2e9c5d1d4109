import Foundation

/// The part of TOML that the file needs: comments, and `name = "text"`.
extension ConnectionFile {
  private static let members: [(name: String, path: WritableKeyPath<ConnectionFile, String?> & Sendable)] = [
    ("url", \.url), ("key", \.key), ("key-file", \.keyFile),
  ]

  /// - Parameter name: of the file, for what is said about it.
  /// - Throws: ``Failure`` that names the line.
  static func parse(_ text: String, name: String) throws -> ConnectionFile {
    var file = ConnectionFile()
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = line.trimmingCharacters(in: .whitespaces)
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      func wrong(_ what: String) -> Failure {
        Failure(
          kind: .unavailable, message: "\(name), line \(index + 1): \(what)",
          advice: "A line looks like this: url = \"http://127.0.0.1:8765\"")
      }
      guard let equals = line.firstIndex(of: "=") else { throw wrong("no “=”.") }
      let member = line[..<equals].trimmingCharacters(in: .whitespaces)
      guard let path = members.first(where: { $0.name == member })?.path else {
        let near = Suggestion.text(for: member, among: members.map(\.name))
        throw wrong("unknown setting “\(Printable.text(member))”.\(near)")
      }
      guard let value = string(line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)) else {
        throw wrong("the value of “\(member)” is not in quotes.")
      }
      guard file[keyPath: path] == nil else { throw wrong("“\(member)” is set twice.") }
      file[keyPath: path] = value
    }
    return file
  }

  var text: String {
    var text = "# Which collector commands use. Written by: automobile connect\n"
    for (name, path) in Self.members {
      guard let value = self[keyPath: path] else { continue }
      let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      text += "\(name) = \"\(escaped)\"\n"
    }
    return text
  }

  /// A text in quotes, with nothing after it but a remark; in single quotes a backslash is one. Nil when it is none.
  private static func string(_ text: String) -> String? {
    guard let quote = text.first, quote == "\"" || quote == "'" else { return nil }
    var value = ""
    var rest = text.dropFirst()
    while let character = rest.popFirst() {
      if character == quote {
        let after = rest.trimmingCharacters(in: .whitespaces)
        return after.isEmpty || after.hasPrefix("#") ? value : nil
      }
      if character == "\\", quote == "\"" {
        guard let escaped = rest.popFirst(), escaped == "\\" || escaped == "\"" else { return nil }
        value.append(escaped)
      } else {
        value.append(character)
      }
    }
    return nil
  }
}
