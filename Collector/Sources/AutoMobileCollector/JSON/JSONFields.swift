/// Takes the members of a small JSON document one by one, and complains of the one that is no good.
struct JSONFields {
  private let members: [String: JSONTree]
  private let document: String
  private let allowed: Set<String>

  /// - Throws: ``APIError`` when it is no object.
  init(_ tree: JSONTree, named document: String, allowed: Set<String>) throws {
    guard case .object(let members) = tree else {
      throw APIError.badRequest("invalid_\(document)", "send a JSON object")
    }
    (self.members, self.document, self.allowed) = (members, document, allowed)
  }

  /// A misspelt member is no rule that holds for everybody.
  func noOthers() throws {
    if let other = Set(members.keys).subtracting(allowed).sorted().first {
      throw APIError.badRequest(
        "unknown_member", "“\(other.prefix(40))” is no member of this: \(allowed.sorted().joined(separator: ", "))")
    }
  }

  func invalid(_ name: String, _ reason: String) -> APIError {
    APIError.badRequest("invalid_\(name)", "\(name) \(reason)")
  }

  func required<Value>(_ value: Value?, _ name: String) throws -> Value {
    guard let value else { throw invalid(name, "is missing") }
    return value
  }

  private func value(_ name: String) -> JSONTree? {
    guard let value = members[name], !value.isNull else { return nil }
    return value
  }

  /// One line; nothing is none.
  func text(_ name: String, longest: Int) throws -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string, text.utf8.count <= longest, !text.hasControlCharacters else {
      throw invalid(name, "must be a text of up to \(longest) bytes, on one line")
    }
    return text.isEmpty ? nil : text
  }

  func flag(_ name: String) throws -> Bool? {
    guard let value = value(name) else { return nil }
    guard let flag = value.bool else { throw invalid(name, "must be true or false") }
    return flag
  }

  func number(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
    guard let value = value(name) else { return nil }
    guard let number = value.number, range.contains(number) else {
      throw invalid(
        name, "must be a number from \(AlertRule.number(range.lowerBound)) to \(AlertRule.number(range.upperBound))")
    }
    return number
  }

  func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let value = value(name) else { return nil }
    guard let number = value.integer.flatMap({ Int(exactly: $0) }), range.contains(number) else {
      throw invalid(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func texts(_ name: String, most: Int, longest: Int) throws -> [String]? {
    guard let value = value(name) else { return nil }
    guard case .array(let list) = value, list.count <= most else {
      throw invalid(name, "must be a list of up to \(most)")
    }
    return try list.map {
      guard let text = $0.string, (1...longest).contains(text.utf8.count), !text.hasControlCharacters else {
        throw invalid(name, "must hold texts of up to \(longest) bytes, each on one line")
      }
      return text
    }
  }

  /// Texts by name.
  func pairs(_ name: String, most: Int, longest: Int) throws -> [String: String]? {
    guard let value = value(name) else { return nil }
    guard case .object(let members) = value, members.count <= most else {
      throw invalid(name, "must be an object of up to \(most) members")
    }
    return try members.mapValues {
      guard let text = $0.string, text.utf8.count <= longest, !text.hasControlCharacters else {
        throw invalid(name, "must hold texts of up to \(longest) bytes, each on one line")
      }
      return text
    }
  }

  func integers(_ name: String, most: Int) throws -> [Int64] {
    guard let value = value(name) else { return [] }
    guard case .array(let list) = value, list.count <= most, case let numbers = list.compactMap(\.integer),
      numbers.count == list.count
    else { throw invalid(name, "must be a list of up to \(most) numbers") }
    return Set(numbers).sorted()
  }
}
