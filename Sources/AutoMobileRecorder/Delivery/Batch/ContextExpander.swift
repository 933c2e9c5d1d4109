import AutoMobileSupport
import Foundation

/// Turns an event as it stands in the journal into one that explains itself: `"contextId":N` becomes `sessionId`,
/// `replayId` and `context`. See the article "Journal format".
package struct ContextExpander: Sendable {
  /// The members that stand for a context, without braces: `"context":{…},"sessionId":"…"`.
  package struct Members: Sendable, Equatable {
    var id: UInt64
    var json: [UInt8]

    /// Of an event whose context nobody knows.
    package static let none = Members(id: 0, json: [])

    private init(id: UInt64, json: [UInt8]) {
      self.id = id
      self.json = json
    }

    /// Reads a context record; nil when it is not one.
    package init?(contextRecord payload: UnsafeRawBufferPointer) {
      guard let record = try? JSONDecoder().decode(ContextRecord.self, from: Data(payload)) else { return nil }
      let members = ExpandedMembers(
        sessionId: record.sessionId, replayId: record.replayId,
        context: ExpandedContext(record: record))
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      guard let object = try? encoder.encode(members) else { return nil }
      id = record.contextId
      json = Array(object.dropFirst().dropLast())
    }
  }

  /// Appends `event`, expanded, to `output`.
  ///
  /// An event whose context is unknown loses the reference, which would mean nothing outside its journal.
  static func append(
    _ event: UnsafeRawBufferPointer, to output: inout [UInt8], members: (_ id: UInt64) -> Members?
  ) {
    guard let reference = ContextReference(in: event) else {
      output.append(contentsOf: event)
      return
    }
    output.append(contentsOf: event[..<reference.start])
    if let members = members(reference.id) {
      if reference.start > 1 { output.append(UInt8(ascii: ",")) }
      output.append(contentsOf: members.json)
    }
    output.append(UInt8(ascii: "}"))
  }
}

/// The payload of a context record, as far as expanding needs it.
private struct ContextRecord: Decodable {
  var contextId: UInt64
  var sessionId: String?
  var replayId: String?
  var userId: String?
  var anonymousId: String?
  var appVersion: String?
  var tags: [String: String]?

  init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    contextId = members.value("contextId")
    sessionId = members.value("sessionId")
    replayId = members.value("replayId")
    userId = members.value("userId")
    anonymousId = members.value("anonymousId")
    appVersion = members.value("appVersion")
    tags = members.value("tags")
    try members.end()
  }
}

private struct ExpandedMembers: Encodable {
  var sessionId: String?
  var replayId: String?
  var context: ExpandedContext

  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("sessionId", sessionId)
    members.add("replayId", replayId)
    members.add("context", context)
    try members.end()
  }
}

/// An `SdkContextSnapshot` as JSON, with the name of the installation: whoever decodes the former reads this one, too.
private struct ExpandedContext: Encodable {
  var record: ContextRecord

  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("sessionId", record.sessionId)
    members.add("userId", record.userId)
    members.add("anonymousId", record.anonymousId)
    members.add("appVersion", record.appVersion)
    members.add("tags", record.tags ?? [:])
    try members.end()
  }
}
