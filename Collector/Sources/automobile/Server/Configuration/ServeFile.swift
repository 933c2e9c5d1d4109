import Foundation

/// The configuration file of `automobile serve`: its options, one a line.
///
///     # where telemetry is kept
///     store = clickhouse://automobile@10.0.0.4/automobile
///     full-text = false
struct ServeFile {
  struct Line: Equatable {
    /// The first is 1.
    let number: Int
    let setting: ServeSetting
    let value: String

    /// As it stands on a command line, in one word, so that a value may begin with a dash. Nil: a flag that is off.
    var word: String? {
      guard setting.isFlag else { return "--\(setting.name)=\(value)" }
      if value == "true" { return "--\(setting.name)" }
      return setting.hasOpposite ? "--no-\(setting.name)" : nil
    }
  }

  let path: String
  let lines: [Line]

  /// - Parameter warn: is told what should be different.
  /// - Throws: ``Failure`` with everything that is wrong in it, or why it cannot be read.
  static func read(at path: String, warn: (String) -> Void) throws -> ServeFile {
    let name = "“\(Printable.text(path))”"
    let (data, status) = try contents(of: path, name)
    // As with a file of keys: whoever can write it says who is let in, and where everything goes.
    try FileOwner.check(status, "The configuration file \(name)", warn: warn)
    let (lines, problems) = parse(data)
    let all = (problems + wrongValues(lines)).sorted { $0.line < $1.line }
    guard all.isEmpty else { throw failure(all, name) }
    if status.st_mode & 0o044 != 0, lines.contains(where: \.setting.isSecret) {
      warn("\(name) holds a key and can be read by other users of this machine: chmod 600 it, or name a key file.")
    }
    return ServeFile(path: path, lines: lines)
  }

  /// Of a file with a thousand errors the first tell enough.
  private static func failure(_ problems: [Problem], _ name: String) -> Failure {
    var said = problems.prefix(mostProblems).map { "line \($0.line): \($0.text)" }
    if problems.count > mostProblems { said.append("and \(problems.count - mostProblems) lines more.") }
    return Failure(
      kind: .unavailable, message: "The configuration file \(name) cannot be used, and nothing was started:",
      advice: said.joined(separator: "\n       "))
  }

  private static let mostProblems = 100
  private static let longest = 1 << 20

  private static func contents(of path: String, _ name: String) throws -> (Data, stat) {
    let advice = "Give another one with --config."
    // Nobody has to write into a pipe of this name before we see that it is one.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno))
      throw Failure(
        kind: .unavailable, message: "The configuration file \(name) cannot be read: \(reason).", advice: advice)
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    // Of the open file, so that it is the one that is read.
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(kind: .unavailable, message: "The configuration file \(name) is not a file.", advice: advice)
    }
    let data: Data
    do {
      data = try handle.read(upToCount: longest + 1) ?? Data()
    } catch {
      throw Failure(kind: .unavailable, message: "The configuration file \(name) cannot be read.", advice: advice)
    }
    guard data.count <= longest else {
      throw Failure(
        kind: .unavailable, message: "The configuration file \(name) is larger than \(longest) bytes.", advice: advice)
    }
    return (data, status)
  }
}
