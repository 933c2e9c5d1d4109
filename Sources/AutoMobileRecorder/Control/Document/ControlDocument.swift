import Foundation

/// What a collector tells the SDK: a version, and a section for each part of the SDK that listens.
///
///     {"issuer":"9f2c…","version":7,"recording":{"enabled":true},"sampling":{"sessionRate":0.25}, …}
///
/// Sections that nobody here knows are kept and ignored, and so are members of sections. What a section may hold is
/// checked by its ``ControlSection``: a section in which something is wrong never takes another one with it.
package struct ControlDocument: Sendable, Equatable {
  /// Longer documents are refused, in bytes.
  static let maximumSize = 64 * 1024
  static let maximumDepth = 16

  /// Counted up by the issuer with every change.
  package let version: Int64
  /// The store that the document comes from. Versions of different issuers say nothing about each other.
  package let issuer: String
  /// Everything else, by name.
  package let sections: [String: MetadataValue]

  init(issuer: String, version: Int64, sections: [String: MetadataValue]) {
    self.issuer = issuer
    self.version = version
    self.sections = sections
  }

  /// - Throws: ``ControlError`` when this is no such document.
  init(json: Data) throws {
    guard json.count <= Self.maximumSize else {
      throw ControlError("the document has \(json.count) bytes, more than \(Self.maximumSize)")
    }
    var members = try ControlJSON.object(json, maximumDepth: Self.maximumDepth)
    guard case .int(let version)? = members.removeValue(forKey: "version"), version >= 0 else {
      throw ControlError("this is not a configuration document: it has no version")
    }
    guard case .string(let issuer)? = members.removeValue(forKey: "issuer"), (1...128).contains(issuer.utf8.count)
    else { throw ControlError("this is not a configuration document: it names no issuer") }
    self.version = version
    self.issuer = issuer
    sections = members
  }

  /// The document is older than another one of the same issuer.
  func isOlder(than other: ControlDocument) -> Bool { issuer == other.issuer && version < other.version }
}

/// Why something that came over the control channel is not applied, in words.
package struct ControlError: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
