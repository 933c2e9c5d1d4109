import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request that something else answers, in the network's place.
///
///     AutoMobileNetwork.shared.mocks.add(
///       NetworkMockRule(
///         id: "sold out", method: "POST", host: "api.example.com", path: .glob("/orders/*"),
///         response: .response(status: 409, body: Data(#"{"error":"sold out"}"#.utf8)), delayMs: 200, count: 1))
///
/// All that is given must match.
public struct NetworkMockRule: Sendable, Equatable, Identifiable {
  /// How a path is compared.
  public enum Path: Sendable, Equatable {
    /// `*` stands for any characters, `?` for one.
    case glob(String)
    /// In the syntax of `NSRegularExpression`, found anywhere in the path; 512 bytes at most. One that takes longer than
    /// 20 ms for a path matches nothing from then on (``NetworkMockRules/problems``).
    case regex(String)
  }

  /// Its name, which the recording shows. A rule of the same name replaces it.
  public var id: String
  /// Without case; nil: every method.
  public var method: String?
  /// With `*` for any characters, without case, with the port only if there is a colon in it; nil: every host.
  public var host: String?
  /// Of the URL, percent-encoded and without the query; nil: every path.
  public var path: Path?
  /// Values by name, the name without case; `*` in a value stands for any characters.
  public var headers: [String: String]
  /// What stands in the body, which may have 1 MB at most then.
  public var bodyContains: String?
  public var response: NetworkMockResponse
  /// How long the answer takes, in milliseconds; two minutes at most.
  public var delayMs: Int
  /// How many requests it answers; nil: all.
  public var count: Int?
  /// Until when; nil: for good.
  public var expires: Date?

  public init(
    id: String = UUID().uuidString, method: String? = nil, host: String? = nil, path: Path? = nil,
    headers: [String: String] = [:], bodyContains: String? = nil, response: NetworkMockResponse, delayMs: Int = 0,
    count: Int? = nil, expires: Date? = nil
  ) {
    self.id = id
    self.method = method
    self.host = host
    self.path = path
    self.headers = headers
    self.bodyContains = bodyContains
    self.response = response
    self.delayMs = delayMs
    self.count = count
    self.expires = expires
  }
}

/// What a mock rule does.
public enum NetworkMockResponse: Sendable, Equatable {
  case response(status: Int, headers: [String: String] = [:], body: Data = Data())
  /// The request fails, with this `URLError`.
  case failure(URLError.Code)
  /// The network answers, after the rule's delay: an exception from the rules that follow.
  case passthrough
}
