/// A value of the document. Members stay in the order in which they were written, so that the document reads as it was
/// thought, and is the same text each time.
indirect enum DocumentValue: Sendable, Equatable {
  case text(String)
  case number(Int64)
  case flag(Bool)
  case list([DocumentValue])
  case object([Entry])

  struct Entry: Sendable, Equatable {
    var name: String
    var value: DocumentValue

    init(_ name: String, _ value: DocumentValue) {
      self.name = name
      self.value = value
    }
  }

  /// An object's member; nil when there is none of this name, or when it is no object.
  subscript(name: String) -> DocumentValue? {
    guard case .object(let entries) = self else { return nil }
    return entries.first { $0.name == name }?.value
  }

  func write(to json: inout JSONOutput) {
    switch self {
    case .text(let text): json.string(text)
    case .number(let number): json.number(number)
    case .flag(let flag): json.flag(flag)
    case .list(let values): json.array { for value in values { value.write(to: &$0) } }
    case .object(let entries):
      json.object {
        for entry in entries {
          $0.name(entry.name)
          entry.value.write(to: &$0)
        }
      }
    }
  }
}

extension DocumentValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
  init(stringLiteral value: String) { self = .text(value) }
  init(integerLiteral value: Int64) { self = .number(value) }
  init(booleanLiteral value: Bool) { self = .flag(value) }
}

extension DocumentValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  init(arrayLiteral elements: DocumentValue...) { self = .list(elements) }
  init(dictionaryLiteral elements: (String, DocumentValue)...) { self = .object(elements.map { Entry($0, $1) }) }
}
