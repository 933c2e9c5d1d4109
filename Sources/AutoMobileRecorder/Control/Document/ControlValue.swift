/// A value of a document together with its place, so that what is wrong can be named: `sampling.sessionRate`.
///
/// What is absent, or null, is the default; what is of another type or out of bounds is an error.
package struct ControlValue: Sendable {
  package let path: String
  /// Nil when there is none.
  package let value: MetadataValue?

  package init(_ path: String, _ value: MetadataValue?) {
    self.path = path
    self.value = value == .null ? nil : value
  }

  package func member(_ name: String) throws -> ControlValue {
    switch value {
    case nil: ControlValue("\(path).\(name)", nil)
    case .object(let members)?: ControlValue("\(path).\(name)", members[name])
    case let other?: throw wrong("an object", other)
    }
  }

  package func bool(default standard: Bool) throws -> Bool {
    switch value {
    case nil: standard
    case .bool(let bool)?: bool
    case let other?: throw wrong("true or false", other)
    }
  }

  package func number(in bounds: ClosedRange<Double>, default standard: Double) throws -> Double {
    let number: Double
    switch value {
    case nil: return standard
    case .int(let int)?: number = Double(int)
    case .double(let double)?: number = double
    case let other?: throw wrong("a number from \(bounds.lowerBound) to \(bounds.upperBound)", other)
    }
    guard bounds.contains(number) else {
      throw ControlError(
        "\(path): expected a number from \(bounds.lowerBound) to \(bounds.upperBound), found \(number)")
    }
    return number
  }

  package func integer(in bounds: ClosedRange<Int64>, default standard: Int64) throws -> Int64 {
    let expected = "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
    let integer: Int64
    switch value {
    case nil: return standard
    case .int(let int)?: integer = int
    case .double(let double)?:
      guard let exact = Int64(exactly: double) else { throw wrong(expected, .double(double)) }
      integer = exact
    case let other?: throw wrong(expected, other)
    }
    guard bounds.contains(integer) else { throw wrong(expected, .int(integer)) }
    return integer
  }

  /// - Parameter maximumLength: in bytes of UTF-8.
  package func string(maximumLength: Int = 1024) throws -> String? {
    switch value {
    case nil: nil
    case .string(let string)? where string.utf8.count <= maximumLength: string
    case let other?: throw wrong("a text of at most \(maximumLength) bytes", other)
    }
  }

  /// The elements of an array; none when it is absent.
  package func elements(maximum: Int) throws -> [ControlValue] {
    switch value {
    case nil: []
    case .array(let elements)? where elements.count <= maximum:
      elements.enumerated().map { ControlValue("\(path)[\($0.offset)]", $0.element) }
    case let other?: throw wrong("an array of at most \(maximum) elements", other)
    }
  }

  private func wrong(_ expected: String, _ found: MetadataValue) -> ControlError {
    let found =
      switch found {
      case .object: "an object"
      case .array(let elements): "an array of \(elements.count)"
      case .string(let text): "\"\(text.prefix(40))\""
      case .int, .double, .bool, .null: found.text
      }
    return ControlError("\(path): expected \(expected), found \(found)")
  }
}
