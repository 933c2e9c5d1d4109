/// What a collector wants to have done, in a debug build.
package struct ControlCommand: Sendable, Equatable {
  /// The collector's name for this request.
  package let id: String
  package let name: String
  package let arguments: ControlValue
  /// The answer is of no use after this time, in seconds.
  package let timeout: Double

  package static func == (a: ControlCommand, b: ControlCommand) -> Bool { a.id == b.id && a.name == b.name }

  /// Commands that one answer may carry.
  static let maximumCount = 16
  static let maximumTimeout = 30.0

  init(_ value: ControlValue) throws {
    guard let id = try value.member("id").string(maximumLength: 64), !id.isEmpty, id.utf8.allSatisfy(Self.isSafe)
    else { throw ControlError("\(value.path): a command must have an id") }
    guard let name = try value.member("command").string(maximumLength: 64), !name.isEmpty else {
      throw ControlError("\(value.path): a command must have a name")
    }
    self.id = id
    self.name = name
    arguments = ControlValue("arguments", try value.member("arguments").value)
    timeout = try value.member("timeoutSeconds").number(in: 0.1...Self.maximumTimeout, default: 10)
  }

  /// It becomes part of a URL.
  private static func isSafe(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

/// Why a command could not be done, with a name for programs.
package struct CommandFailure: Error, CustomStringConvertible {
  package let code: String
  package let description: String

  package init(_ code: String, _ description: String) {
    self.code = code
    self.description = description
  }
}

/// What became of a command.
enum CommandOutcome: Sendable, Equatable {
  case result(MetadataValue)
  case failed(code: String, message: String)

  /// The body of the answer.
  var json: MetadataValue {
    switch self {
    case .result(let value): ["ok": true, "result": value]
    case .failed(let code, let message):
      ["ok": false, "error": ["code": .string(code), "message": .string(String(message.prefix(2000)))]]
    }
  }

  /// For the log: never what the result holds.
  var summary: String {
    switch self {
    case .result: "done"
    case .failed(let code, let message): "\(code): \(message)"
    }
  }
}
