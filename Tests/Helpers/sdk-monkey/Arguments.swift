import Foundation

struct Arguments: Sendable {
  var directory = FileManager.default.temporaryDirectory
  var calls = 100_000
  var seconds = 1.0
  var threads = 16
  var seed = UInt64.random(in: 0...UInt64(Int64.max))
  var isSanitized = false
  var isList = false
  /// Where the result goes; nil: to the output.
  var output: URL?

  init(_ arguments: [String]) {
    var rest = arguments.dropFirst()
    while let option = rest.popFirst() {
      switch option {
      case "--sanitized": isSanitized = true
      case "--list": isList = true
      default:
        guard let value = rest.popFirst() else { Self.fail("\(option) wants a value") }
        switch option {
        case "--directory": directory = URL(fileURLWithPath: value)
        case "--output": output = URL(fileURLWithPath: value)
        case "--calls": calls = Int(value) ?? calls
        case "--seconds": seconds = Double(value) ?? seconds
        case "--threads": threads = max(1, Int(value) ?? threads)
        case "--seed": seed = UInt64(value) ?? seed
        default: Self.fail("\(option) is not an option")
        }
      }
    }
  }

  func write(_ text: String) throws {
    guard let output else { return print(text) }
    try text.write(to: output, atomically: true, encoding: .utf8)
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("sdk-monkey: \(message)\n".utf8))
    exit(64)
  }
}
