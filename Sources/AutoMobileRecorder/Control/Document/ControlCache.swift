import AutoMobileJournal
import AutoMobileSupport
import Foundation

/// The last document, on disk: a line of JSON about it, then the document as it came.
///
/// Beside it stands an empty file while the document switches recording off. So the SDK's start sees the kill switch
/// by one question to the file system, before anything is recorded, and reads the document later, on another thread.
struct ControlCache: Sendable {
  struct Entry: Equatable {
    var document: Data
    /// The entity tag that it came with.
    var tag: String
    /// When a collector last said that this is the current one, in milliseconds since 1970.
    var checkedAt: Int64
  }

  private let path: String
  private let markPath: String
  /// Where documents come from, for whom: one that was kept for another place says nothing here.
  private let source: Source

  private static let maximumSize = ControlDocument.maximumSize + 4096

  /// - Parameters:
  ///   - owner: the bundle id, or the process's name. Apps may share a directory.
  ///   - endpoint: the place that documents come from.
  init(directory: URL, owner: String, endpoint: String) {
    // Without interpolation and without URLs, both of which are slow the first time: this runs while the app starts.
    let name = directory.path + "/control-" + Self.safe(owner)
    path = name + ".json"
    markPath = name + ".off"
    source = Source(format: 1, owner: owner, endpoint: endpoint)
  }

  /// Recording was switched off when the last document was kept. One system call, which reads nothing.
  var isMarkedOff: Bool { access(markPath, F_OK) == 0 }

  enum Contents: Equatable {
    /// Nothing, or nothing that can be read.
    case nothing
    /// Kept for another collector, or another app.
    case foreign
    case entry(Entry)
  }

  func load() -> Contents {
    guard let file = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)) else { return .nothing }
    defer { try? file.close() }
    guard let bytes = try? file.read(upToCount: Self.maximumSize + 1), bytes.count <= Self.maximumSize,
      let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
      let head = try? JSONDecoder().decode(Head.self, from: bytes[..<end])
    else { return .nothing }
    guard head.source == source else { return .foreign }
    return .entry(Entry(document: Data(bytes[(end + 1)...]), tag: head.tag, checkedAt: head.checkedAt))
  }

  /// Replaces what is there, in one step that a killed process has taken or not.
  ///
  /// - Throws: what the file system says.
  func save(_ entry: Entry, isOff: Bool) throws {
    // Whatever happens in between, "off" is seen: the mark is set before the document and taken away after it.
    if isOff { try mark(true) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let head = try encoder.encode(Head(source: source, tag: entry.tag, checkedAt: entry.checkedAt))
    try write(head + Data("\n".utf8) + entry.document, to: path)
    if !isOff { try mark(false) }
  }

  func mark(_ isOff: Bool) throws {
    if isOff { try write(Data(), to: markPath) } else { unlink(markPath) }
  }

  private func write(_ data: Data, to path: String) throws {
    try data.writeProtected(to: URL(fileURLWithPath: path))
  }

  /// A name as part of a file's.
  static func safe(_ owner: String) -> String { String(owner.unicodeScalars.prefix(100).map(safe)) }

  private static func safe(_ scalar: Unicode.Scalar) -> Character {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "_": Character(scalar)
    default: "_"
    }
  }

  fileprivate struct Source: Codable, Equatable {
    var format: Int
    var owner: String
    var endpoint: String
  }

  fileprivate struct Head: Codable {
    var source: Source
    var tag: String
    var checkedAt: Int64
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension ControlCache.Source {
  init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    format = members.value("format")
    owner = members.value("owner")
    endpoint = members.value("endpoint")
    try members.end()
  }

  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("format", format)
    members.add("owner", owner)
    members.add("endpoint", endpoint)
    try members.end()
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension ControlCache.Head {
  init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    source = try members.required("source")
    tag = members.value("tag")
    checkedAt = members.value("checkedAt")
    try members.end()
  }

  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("source", source)
    members.add("tag", tag)
    members.add("checkedAt", checkedAt)
    try members.end()
  }
}
