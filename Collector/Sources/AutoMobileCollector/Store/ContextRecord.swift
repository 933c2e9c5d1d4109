import Foundation

/// What a context record, or the context inside an expanded event, says.
struct ContextRecord: Decodable, Sendable {
  var contextId: Int64?
  var sessionId: String?
  var userId: String?
  /// Of the installation.
  var anonymousId: String?
  var appVersion: String?
  var bundleId: String?
  var tags: [String: String]?
  var device: [String: String]?

  private enum Key: String, CodingKey {
    case contextId, sessionId, userId, anonymousId, appVersion, bundleId, tags, device
  }

  init(json: UnsafeRawBufferPointer) throws {
    self = try JSONDecoder().decode(ContextRecord.self, from: Data(json))
    if let sessionId, sessionId.utf8.count > EventFields.maximumName {
      throw JSONError(offset: 0, message: "sessionId is longer than \(EventFields.maximumName) bytes")
    }
    guard sessionId?.hasControlCharacters != true else {
      throw JSONError(offset: 0, message: "sessionId has control characters")
    }
    // What is shown beside every session has a length that a page can have.
    appVersion = appVersion.map { String($0.prefix(100)) }
    userId = userId.map { String($0.prefix(EventFields.maximumName)) }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    contextId = try container.decodeIfPresent(Int64.self, forKey: .contextId)
    sessionId = try container.decodeIfPresent(String.self, forKey: .sessionId)
    userId = try container.decodeIfPresent(String.self, forKey: .userId)
    anonymousId = try? container.decodeIfPresent(String.self, forKey: .anonymousId)
    appVersion = try container.decodeIfPresent(String.self, forKey: .appVersion)
    bundleId = try container.decodeIfPresent(String.self, forKey: .bundleId)
    // A newer SDK may put other things here; they stay in the record's bytes.
    tags = try? container.decodeIfPresent([String: String].self, forKey: .tags)
    device = try? container.decodeIfPresent([String: String].self, forKey: .device)
  }

  static func json(_ dictionary: [String: String]?) -> String? {
    guard let dictionary else { return nil }
    var json = JSONOutput()
    json.object { for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) { $0.member(key, value) } }
    return String(buffer: json.buffer)
  }
}
