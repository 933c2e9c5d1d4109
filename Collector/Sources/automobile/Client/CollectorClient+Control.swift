import Foundation
import NIOCore
import NIOHTTP1

/// One configuration document, as the collector gives it.
struct ConfigurationDocument {
  var bundle: String
  /// 0: nobody has written one.
  var version: Int64
  var sections: JSON
  /// What an app of this name gets.
  var effective: JSON
  var changedAt: Int64?
  var changedBy: String?
  /// The answer as it came.
  var json: JSON

  init(_ json: JSON) {
    self.json = json
    bundle = json["bundleId"]?.text ?? ""
    version = json["version"]?.integer ?? 0
    sections = json["document"] ?? [:]
    effective = json["effective"] ?? [:]
    changedAt = json["changedAt"]?.integer
    changedBy = json["changedBy"]?.string
  }

  /// Whether an app of this name records, as far as documents say.
  var isRecording: Bool { effective["recording"]?["enabled"]?.bool != false }
}

extension CollectorClient {
  /// The environment variable that holds the key of whoever may change configuration and give commands.
  static let operatorKeyVariable = "AUTOMOBILE_OPERATOR_KEY"

  func configuration(of bundle: String) async throws -> ConfigurationDocument {
    ConfigurationDocument(try await get("/api/config/" + Self.segment(bundle)))
  }

  /// Replaces a document, unless somebody else has done so since it was read.
  func setConfiguration(_ sections: JSON, of document: ConfigurationDocument) async throws -> ConfigurationDocument {
    var members = sections.object ?? [:]
    members["version"] = .integer(document.version)
    return ConfigurationDocument(
      try await send(.PUT, "/api/config/" + Self.segment(document.bundle), .object(members)))
  }

  /// Changes a document: reads it, sets members, and writes it back.
  func changeConfiguration(
    of bundle: String, _ change: (inout JSON) throws -> Void
  ) async throws -> ConfigurationDocument {
    let document = try await configuration(of: bundle)
    var sections = document.sections
    try change(&sections)
    return try await setConfiguration(sections, of: document)
  }

  /// Sends JSON, and returns that of a good answer.
  ///
  /// - Throws: ``Failure``, with what the collector said was wrong.
  func send(_ method: HTTPMethod, _ path: String, _ body: JSON) async throws -> JSON {
    let bytes = ByteBuffer(data: try JSONEncoder().encode(body))
    return try await send(method, path, type: "application/json", body: .bytes(bytes))
  }
}

extension JSON {
  /// Sets the member at a path (`sampling.sessionRate`), making objects on the way; nil removes it.
  ///
  /// - Throws: ``Failure`` when something on the way is no object.
  mutating func set(_ path: [String], _ value: JSON?) throws {
    guard let name = path.first else { return self = value ?? .null }
    guard var members = object else {
      throw Failure(message: "“\(Printable.text(name))” cannot be set: its parent is not an object.")
    }
    if path.count == 1 {
      members[name] = value
    } else {
      var member = members[name] ?? [:]
      try member.set(Array(path.dropFirst()), value)
      // An object that was emptied is gone.
      if value == Optional.none, member == [:] { members.removeValue(forKey: name) } else { members[name] = member }
    }
    self = .object(members)
  }

  /// Every member that is no object, with its path, in order.
  func flattened(_ prefix: String = "") -> [(path: String, value: JSON)] {
    guard let members = object, !members.isEmpty || prefix.isEmpty else { return [(prefix, self)] }
    return members.sorted { $0.key < $1.key }.flatMap { name, value in
      value.flattened(prefix.isEmpty ? name : prefix + "." + name)
    }
  }

  /// The member at a path.
  func value(at path: [String]) -> JSON? {
    path.reduce(self as JSON?) { $0?[$1] }
  }
}
