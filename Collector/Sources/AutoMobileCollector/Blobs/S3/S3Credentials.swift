import Foundation

/// The key that requests to an S3 store are signed with. It says nothing of itself when it is printed.
public struct S3Credentials: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  var accessKey: String
  var secretKey: String
  /// Of credentials that end.
  var sessionToken: String?

  public init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.sessionToken = sessionToken
  }

  public var description: String { "an S3 key" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// Of one profile of a file as `~/.aws/credentials`; nil when it has none, or half of one.
  init?(_ text: String, profile: String) {
    var values: [String: String] = [:]
    var isWanted = false
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("["), line.hasSuffix("]") {
        isWanted = line.dropFirst().dropLast().trimmingCharacters(in: .whitespaces) == profile
      } else if isWanted, !line.hasPrefix("#"), !line.hasPrefix(";"), let equals = line.firstIndex(of: "=") {
        let name = line[..<equals].trimmingCharacters(in: .whitespaces)
        values[name] = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
      }
    }
    func value(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }
    guard let access = value("aws_access_key_id"), let secret = value("aws_secret_access_key") else { return nil }
    self.init(accessKey: access, secretKey: secret, sessionToken: value("aws_session_token"))
    // They go into headers.
    guard [access, sessionToken ?? ""].allSatisfy({ $0.utf8.allSatisfy { (33...126).contains($0) } || $0.isEmpty })
    else { return nil }
  }
}
