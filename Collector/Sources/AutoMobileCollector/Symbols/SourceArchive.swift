import Foundation

/// A build's sources in one file: a line that says what it is, the length of its list, the list, and the texts one after another.
///
/// Nothing is ever unpacked: a name in it is compared with the names in debug information, and opens nothing.
package struct SourceArchive: Sendable {
  package struct Failure: Error, Equatable, CustomStringConvertible {
    package var description: String
    init(_ description: String) { self.description = description }
  }

  package struct Contents: Codable, Sendable, Equatable {
    package struct File: Codable, Sendable, Equatable {
      /// Below the directory that was named, with slashes.
      package var path: String
      package var bytes: Int
    }

    /// Of the version control system: what a link to a forge names.
    package var commit: String?
    package var files: [File]
  }

  package enum Limits {
    package static let bytes = 64 << 20
    package static let files = 20_000
    package static let file = 1 << 20
    static let list = 8 << 20
    static let path = 1024
    static let line = 400
  }

  private static let mark = Array("automobile sources 1\n".utf8)

  package let contents: Contents
  private let file: BoundedFile
  /// By path where its text begins.
  private let starts: [String: (offset: UInt64, bytes: Int)]

  /// Opens one, and checks all of it but the texts.
  ///
  /// - Throws: ``Failure``, with what is wrong; `SystemError` when it cannot be read.
  package init(_ path: String) throws {
    file = try BoundedFile(path)
    guard file.size <= UInt64(Self.Limits.bytes + Self.Limits.list) else {
      throw Failure("is larger than \(Self.Limits.bytes) bytes: name a directory with less in it")
    }
    guard file.bytes(at: 0, count: Self.mark.count) == Self.mark else { throw Failure("is no archive of sources") }
    let length = file.bytes(at: UInt64(Self.mark.count), count: 8)?.integer(UInt64.self, at: 0) ?? .max
    guard length <= UInt64(Self.Limits.list) else { throw Failure("has a list that is too long") }
    let start = UInt64(Self.mark.count) + 8
    guard let list = Self.read(file, at: start, count: Int(length)) else { throw Failure("is cut off") }
    do {
      contents = try JSONDecoder().decode(Contents.self, from: Data(list))
    } catch {
      throw Failure("has a list that cannot be read")
    }
    starts = try Self.places(contents, from: start + length, size: file.size)
  }

  private static func places(
    _ contents: Contents, from start: UInt64, size: UInt64
  ) throws -> [String: (offset: UInt64, bytes: Int)] {
    guard contents.files.count <= Limits.files else { throw Failure("has more than \(Limits.files) files") }
    if let commit = contents.commit, !isCommit(commit) { throw Failure("names a commit that can be none") }
    var places: [String: (offset: UInt64, bytes: Int)] = [:]
    var offset = start
    for entry in contents.files {
      guard isPlain(entry.path) else {
        throw Failure("has a file with the name “\(entry.path.prefix(200))”: names are relative, without “..”")
      }
      guard (0...Limits.file).contains(entry.bytes) else {
        throw Failure("has a file of more than \(Limits.file) bytes: \(entry.path)")
      }
      guard places.updateValue((offset, entry.bytes), forKey: entry.path) == nil else {
        throw Failure("has “\(entry.path)” twice")
      }
      offset += UInt64(entry.bytes)
    }
    guard offset == size else { throw Failure("holds \(size) bytes, and its list speaks of \(offset)") }
    return places
  }

  /// A relative path that leads nowhere else.
  package static func isPlain(_ path: String) -> Bool {
    guard !path.isEmpty, path.utf8.count <= Limits.path, !path.hasControlCharacters, !path.contains("\\") else {
      return false
    }
    return path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !["", ".", ".."].contains($0) }
  }

  /// A hash, a tag or a branch.
  package static func isCommit(_ text: String) -> Bool {
    (1...100).contains(text.utf8.count) && !text.contains("..")
      && text.utf8.allSatisfy { byte in
        let character = Character(UnicodeScalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber || "._-/+".contains(character))
      }
  }

  /// The path of the archive's file that debug information calls `file`: the longest one that it ends with.
  package func path(of file: String) -> String? {
    var parts = file.split(separator: "/")[...]
    while !parts.isEmpty {
      let candidate = parts.joined(separator: "/")
      if starts[candidate] != nil { return candidate }
      parts = parts.dropFirst()
    }
    return nil
  }

  /// Some lines of a file around one of them.
  package func excerpt(of path: String, around line: Int, each side: Int = 5) -> SourceExcerpt? {
    guard line > 0, let place = starts[path], let bytes = file.bytes(at: place.offset, count: place.bytes) else {
      return nil
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard line <= lines.count else { return nil }
    let first = max(line - side, 1)
    let last = min(line + side, lines.count)
    return SourceExcerpt(
      path: path, first: first,
      lines: lines[(first - 1)..<last].map { String(String(decoding: $0, as: UTF8.self).prefix(Limits.line)) })
  }

  private static func read(_ file: BoundedFile, at start: UInt64, count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard let part = file.bytes(at: start + UInt64(bytes.count), count: min(count - bytes.count, 1 << 20)) else {
        return nil
      }
      bytes += part
    }
    return bytes
  }

  /// Writes an archive of these texts.
  ///
  /// - Throws: ``Failure``, when they are more than one may hold.
  package static func data(_ files: [(path: String, text: Data)], commit: String?) throws -> Data {
    let contents = Contents(commit: commit, files: files.map { .init(path: $0.path, bytes: $0.text.count) })
    let list = try JSONEncoder().encode(contents)
    guard files.reduce(0, { $0 + $1.text.count }) <= Limits.bytes, list.count <= Limits.list else {
      throw Failure("would be larger than \(Limits.bytes) bytes: name a directory with less in it")
    }
    var data = Data(mark)
    withUnsafeBytes(of: UInt64(list.count).littleEndian) { data.append(contentsOf: $0) }
    data.append(list)
    for file in files { data.append(file.text) }
    return data
  }
}

/// Lines of a source file.
package struct SourceExcerpt: Sendable, Equatable {
  package var path: String
  /// The number of the first line, from one.
  package var first: Int
  package var lines: [String]
}
