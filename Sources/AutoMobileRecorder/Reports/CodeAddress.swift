/// An address in a process. In JSON it is a text such as `0x7f3a10b4`: numbers there are exact to 53 bits only.
public struct CodeAddress: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  public var rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public init(_ value: UInt64) { rawValue = value }

  public var description: String { HexDigits.text(rawValue) }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = HexDigits.number(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "an address is written as 0x and hexadecimal digits")
    }
    rawValue = value
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
