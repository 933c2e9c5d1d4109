import NIOCore

/// A session file's lines, as it comes: what each is, and that they are in order.
struct SessionFileLines: Sendable {
  /// Of the line that was read last.
  private(set) var number = 0
  /// Its end has come.
  private(set) var isComplete = false
  private var content = 0
  private var open = ByteBuffer()

  /// Lines that are whole by now.
  mutating func split(_ bytes: UnsafeRawBufferPointer, into lines: inout [ByteBuffer]) throws {
    content += bytes.count
    guard content <= SessionFile.maximumContent else {
      throw Self.tooLarge("more than \(SessionFile.maximumContent) bytes after decompression")
    }
    var start = 0
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      open.writeBytes(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
      lines.append(open)
      open = ByteBuffer()
      start = end + 1
    }
    open.writeBytes(UnsafeRawBufferPointer(rebasing: bytes[start...]))
    // Lines that wait count as well: a slice of 16 KB may become 16 MB.
    guard open.readableBytes <= SessionFile.maximumLine else {
      throw Self.tooLarge("a line of more than \(SessionFile.maximumLine) bytes")
    }
  }

  /// The next line: what it is, and what it holds.
  ///
  /// - Throws: ``APIError`` that names the line.
  mutating func read(_ bytes: ByteBuffer, maximumDepth: Int) throws -> (kind: SessionFile.Line, value: JSONTree) {
    number += 1
    guard number <= SessionFile.maximumLines else { throw Self.tooLarge("more than \(SessionFile.maximumLines) lines") }
    guard !isComplete else { throw SessionFile.invalid(number, "comes after its end") }
    let tree: JSONTree
    do {
      tree = try bytes.withUnsafeReadableBytes { try JSONTree(checking: $0, maximumDepth: maximumDepth) }
    } catch let error as JSONError {
      throw SessionFile.invalid(number, "is no JSON: \(error.message)")
    }
    guard case .object(let members) = tree, members.count == 1, let (name, value) = members.first,
      let kind = SessionFile.Line(rawValue: name)
    else { throw SessionFile.invalid(number, "is of no kind that is known") }
    guard (kind == .automobile) == (number == 1) else {
      throw SessionFile.invalid(number, number == 1 ? "does not say that this is a session file" : "says so again")
    }
    if kind == .complete {
      guard value["lines"]?.integer == Int64(number - 1) else {
        throw SessionFile.invalid(number, "counts other lines than there are")
      }
      isComplete = true
    }
    return (kind, value)
  }

  static func tooLarge(_ what: String) -> APIError { APIError.tooLarge("the session file has \(what)") }
}
