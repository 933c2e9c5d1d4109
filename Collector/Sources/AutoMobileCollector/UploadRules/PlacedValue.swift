/// A value of a document together with its place, so that what is wrong can be named: `upload.rules[3].when`.
///
/// Reads as the SDK does, and complains in the same words: who reads both is not to wonder. What is absent, or null, is the
/// default; what is of another type or out of bounds is an error.
struct PlacedValue: Sendable {
  /// For people: a rule is told with its name.
  let path: String
  /// For programs: without names.
  let place: String
  /// Nil when there is none.
  let value: JSONTree?

  init(_ path: String, _ value: JSONTree?, place: String? = nil) {
    self.path = path
    self.place = place ?? path
    self.value = value == .null ? nil : value
  }

  /// The same, told with the name of what it is.
  func named(_ name: String) -> PlacedValue { PlacedValue("\(path) (\"\(name)\")", value, place: place) }

  func member(_ name: String) throws(PlacedError) -> PlacedValue {
    switch value {
    case nil: PlacedValue("\(path).\(name)", nil, place: "\(place).\(name)")
    case .object(let members)?: PlacedValue("\(path).\(name)", members[name], place: "\(place).\(name)")
    case let other?: throw wrong("an object", other)
    }
  }

  /// Checks that an object has none but these members.
  func members(_ known: [String]) throws(PlacedError) {
    guard case .object(let members)? = value else { return }
    if let unknown = members.keys.filter({ !known.contains($0) }).min() {
      throw error("\"\(unknown.prefix(40))\" is not known here: expected \(known.joined(separator: ", "))")
    }
  }

  func bool(default standard: Bool) throws(PlacedError) -> Bool {
    switch value {
    case nil: standard
    case .bool(let bool)?: bool
    case let other?: throw wrong("true or false", other)
    }
  }

  func number(in bounds: ClosedRange<Double>, default standard: Double) throws(PlacedError) -> Double {
    let expected = "a number from \(bounds.lowerBound) to \(bounds.upperBound)"
    guard let value else { return standard }
    guard let number = value.number else { throw wrong(expected, value) }
    guard bounds.contains(number) else { throw error("expected \(expected), found \(number)") }
    return number
  }

  /// - Throws: also when there is none.
  func number(in bounds: ClosedRange<Double>) throws(PlacedError) -> Double {
    guard value != nil else {
      throw error("expected a number from \(bounds.lowerBound) to \(bounds.upperBound), found none")
    }
    return try number(in: bounds, default: bounds.lowerBound)
  }

  func optionalNumber(in bounds: ClosedRange<Double>) throws(PlacedError) -> Double? {
    value == nil ? nil : try number(in: bounds)
  }

  func integer(in bounds: ClosedRange<Int64>, default standard: Int64) throws(PlacedError) -> Int64 {
    guard let value else { return standard }
    guard let integer = value.integer, bounds.contains(integer) else {
      throw wrong("a whole number from \(bounds.lowerBound) to \(bounds.upperBound)", value)
    }
    return integer
  }

  /// - Parameter maximumLength: in bytes of UTF-8.
  func string(maximumLength: Int) throws(PlacedError) -> String? {
    switch value {
    case nil: nil
    case .string(let string)? where string.utf8.count <= maximumLength: string
    case let other?: throw wrong("a text of at most \(maximumLength) bytes", other)
    }
  }

  /// - Throws: also when there is none, or an empty one.
  func text(maximumLength: Int) throws(PlacedError) -> String {
    guard let text = try string(maximumLength: maximumLength), !text.isEmpty else {
      throw error("expected a text of 1 to \(maximumLength) bytes, found none")
    }
    return text
  }

  /// The same, nil when there is none.
  func optionalText(maximumLength: Int) throws(PlacedError) -> String? {
    value == nil ? nil : try text(maximumLength: maximumLength)
  }

  /// The elements of an array; none when it is absent.
  func elements(maximum: Int) throws(PlacedError) -> [PlacedValue] {
    switch value {
    case nil: []
    case .array(let elements)? where elements.count <= maximum:
      elements.enumerated().map {
        PlacedValue("\(path)[\($0.offset)]", $0.element, place: "\(place)[\($0.offset)]")
      }
    case let other?: throw wrong("an array of at most \(maximum) elements", other)
    }
  }

  func error(_ reason: String) -> PlacedError { PlacedError(place: place, reason: "\(path): \(reason)") }

  private func wrong(_ expected: String, _ found: JSONTree) -> PlacedError {
    let found =
      switch found {
      case .object: "an object"
      case .array(let elements): "an array of \(elements.count)"
      case .string(let text): "\"\(text.prefix(40))\""
      case .number(let number): "\(number)"
      case .integer(let number): "\(number)"
      case .bool(let bool): "\(bool)"
      case .null: "null"
      }
    return error("expected \(expected), found \(found)")
  }
}

/// What is wrong in a document, and where.
struct PlacedError: Error, Equatable, Sendable {
  /// For programs: `upload.rules[3].when.hang.atLeastMs`.
  var place: String
  /// For people, with the place: `upload.rules[3] ("slow").when.hang.atLeastMs: expected a number …`
  var reason: String
}
