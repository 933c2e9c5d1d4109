import Foundation

/// Where a command writes what is no table: a file that is whole or not there, or standard output.
final class OutputFile {
  private let path: String?
  private let form: Printable.Form
  private let partial: URL?
  private let handle: FileHandle?

  /// - Parameters:
  ///   - path: nil or “-” for standard output.
  ///   - form: what it is, for a terminal.
  /// - Throws: ``Failure`` when the file cannot be made.
  init(_ path: String?, form: Printable.Form = .json) throws {
    self.form = form
    guard let path, path != "-" else {
      self.path = nil
      partial = nil
      handle = nil
      return
    }
    let url = URL(filePath: path)
    let partial = url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent).\(getpid())")
    guard FileManager.default.createFile(atPath: partial.path, contents: nil),
      let handle = FileHandle(forWritingAtPath: partial.path)
    else { throw Failure(kind: .unavailable, message: "“\(Printable.text(path))” cannot be written.") }
    self.path = path
    self.partial = partial
    self.handle = handle
  }

  /// Whether somebody can read along, so that standard output holds nothing else.
  var isStandardOutput: Bool { path == nil }

  func write(_ data: Data) throws {
    guard let handle else { return Console.standard.write(data, as: form) }
    try handle.write(contentsOf: data)
  }

  /// Puts the file in its place.
  func finish() throws {
    guard let path, let partial, let handle else { return }
    try handle.close()
    guard rename(partial.path, path) == 0 else {
      throw Failure(kind: .unavailable, message: "“\(Printable.text(path))” cannot be written.")
    }
  }

  deinit { if let partial { unlink(partial.path) } }
}
