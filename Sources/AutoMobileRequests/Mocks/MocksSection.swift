import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// The mock rules of a collector, for debug builds:
///
///     "mocks":[{"id":"sold out","match":{"method":"POST","host":"*.example.com","path":"/orders/*"},
///              "respond":{"status":409,"body":"{}"},"count":1}]
///
/// One rule that is not valid makes the section refused as a whole: half a scenario is worse than none.
struct MocksSection: ControlSection {
  static let name = "mocks"
  static let maximumRules = 64
  var rules: [NetworkMockRule] = []

  init() {}

  init(_ section: ControlValue) throws {
    rules = try section.elements(maximum: Self.maximumRules).map { try NetworkMockRule($0) }
    let ids = Set(rules.map(\.id))
    guard ids.count == rules.count else { throw ControlError("\(section.path): two rules have the same id") }
  }
}

extension NetworkMockRule {
  fileprivate init(_ value: ControlValue) throws {
    let match = try value.member("match")
    let respond = try value.member("respond")
    guard let id = try value.member("id").string(maximumLength: 128), !id.isEmpty else {
      throw ControlError("\(value.path).id: a rule needs a name of 1 to 128 bytes")
    }
    self.init(
      id: id, method: try match.member("method").string(maximumLength: 32),
      host: try match.member("host").string(maximumLength: 256), path: try Self.path(match.member("path")),
      headers: try match.member("headers").strings(maximum: 32),
      bodyContains: try match.member("bodyContains").string(maximumLength: 4096),
      response: try NetworkMockResponse(respond),
      delayMs: Int(clamping: try respond.member("delayMs").integer(in: 0...120_000, default: 0))
    )
    if try value.member("count").value != nil {
      count = Int(clamping: try value.member("count").integer(in: 1...1_000_000_000, default: 1))
    }
    if try value.member("expiresAt").value != nil {
      let milliseconds = try value.member("expiresAt").integer(in: 0...4_503_599_627_370_496, default: 0)
      expires = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
    // Compiled once here, so that what is wrong is told with its place.
    do { _ = try NetworkMock(self) } catch { throw ControlError("\(value.path): \(error)") }
  }

  private static func path(_ value: ControlValue) throws -> Path? {
    if case .object? = value.value {
      return try value.member("regex").string(maximumLength: BoundedRegex.maximumLength).map { .regex($0) }
    }
    return try value.string().map { .glob($0) }
  }
}

extension NetworkMockResponse {
  fileprivate init(_ value: ControlValue) throws {
    if try value.member("passthrough").bool(default: false) {
      self = .passthrough
    } else if let name = try value.member("failure").string() {
      guard let code = NetworkMockFailures.codes[name] else {
        let names = NetworkMockFailures.codes.keys.ordered().joined(separator: ", ")
        throw ControlError("\(value.path).failure: expected one of \(names)")
      }
      self = .failure(code)
    } else {
      guard try value.member("status").value != nil else {
        throw ControlError("\(value.path): expected a status, a failure, or passthrough")
      }
      let status = try value.member("status").integer(in: 200...599, default: 200)
      let text = try value.member("body").string(maximumLength: 48 << 10) ?? ""
      self = .response(
        status: Int(clamping: status), headers: try value.member("headers").strings(maximum: 64),
        body: try Self.body(text, value.member("bodyEncoding")))
    }
  }

  private static func body(_ text: String, _ encoding: ControlValue) throws -> Data {
    switch try encoding.string() {
    case nil: return Data(text.utf8)
    case "base64"?:
      guard let data = Data(base64Encoded: text) else { throw ControlError("\(encoding.path): the body is not base64") }
      return data
    case _?: throw ControlError("\(encoding.path): expected base64, or nothing")
    }
  }
}

extension ControlValue {
  /// An object of texts; an empty one when it is absent.
  fileprivate func strings(maximum: Int) throws -> [String: String] {
    guard case .object(let members)? = value else {
      if value == nil { return [:] }
      throw ControlError("\(path): expected an object of texts")
    }
    guard members.count <= maximum else { throw ControlError("\(path): expected at most \(maximum) members") }
    var strings: [String: String] = [:]
    for name in members.keys { strings[name] = try member(name).string(maximumLength: 8192) ?? "" }
    return strings
  }
}
