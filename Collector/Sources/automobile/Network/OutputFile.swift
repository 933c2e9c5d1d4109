import Foundation

/// Where a command writes what is no table: a file that is whole or not there, or standard output.
final class OutputFile {
  private let path: String?
  private let form: Printable.Form
  private let partial: URL?
  private let handle: FileHandle?
  private(set) var bytes = 0

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

  func write(_ data: Data) throws {
    guard let handle else { return Console.standard.write(data, as: form) }
    try handle.write(contentsOf: data)
    bytes += data.count
  }

  /// Puts the file in its place, and says so beside the results: “Saved 12 requests to x.har (34.0 kB)”.
  ///
  /// - Parameters:
  ///   - count: how many things it holds; nil for a single one.
  ///   - unit: what one is called.
  ///   - json: whether that is said to a program, on standard output.
  func finish(_ count: Int?, _ unit: String, json: Bool = false) throws {
    guard let path, let partial, let handle else { return }
    try handle.close()
    guard rename(partial.path, path) == 0 else {
      throw Failure(kind: .unavailable, message: "“\(Printable.text(path))” cannot be written.")
    }
    if json {
      let answer: JSON = ["file": .string(path), "bytes": JSON(bytes)]
      return Console.standard.out((count.map { answer.adding(unit + "s", JSON($0)) } ?? answer).line)
    }
    let what = count.map { Format.plural($0, unit) } ?? "the \(unit)"
    Console.standard.note("Saved \(what) to \(Printable.text(path)) (\(Format.bytes(bytes)))")
  }

  deinit { if let partial { unlink(partial.path) } }
}
